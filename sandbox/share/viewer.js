"use strict";
/* The viewer of shared worlds: draws what was sampled of a world with the shaders of the window, and plays it.

   A bundle (see packed.py) has how the world is drawn and, twenty times a second, where everybody is. A *sample* is one
   tick of it: who is there by ascending track (ids), and their places, looks and colours. Between two samples places
   are interpolated, as the window does between two ticks. `Film` holds all samples, a painter draws one moment of it,
   a camera says from where, and `Viewer` is what a person sees and touches. Times are in ticks. */

const TAU = 2 * Math.PI, HALF = 32768, WHOLE = 65536;

// ---- the bundle

function bytesOf(base64) {
  const text = atob(base64.trim()), bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  return bytes;
}

async function opened(bytes) {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const content = new Uint8Array(await new Response(plain).arrayBuffer());
  const end = 4 + new DataView(content.buffer).getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(content.subarray(4, end)));
  about.section = (name) => {
    const [at, length] = about.sections[name];
    return content.slice(end + at, end + at + length);
  };
  return about;
}

/** Whole numbers from their planes of bytes: the differences that packed.py has stored. */
function unplaned(bytes, count) {
  const found = new Int32Array(count);
  for (let at = 0, shift = 0; at < bytes.length; at += count, shift += 8) {
    for (let n = 0; n < count; n++) found[n] |= bytes[at + n] << shift;
  }
  for (let n = 0; n < count; n++) found[n] = (found[n] >>> 1) ^ -(found[n] & 1);
  return found;
}

function summed(differences) {
  for (let n = 1; n < differences.length; n++) differences[n] += differences[n - 1];
  return differences;
}

// ---- samples

/** What is drawn of a tick: tracks in ascending order, an array of places for each axis, looks, and colours' codes.
    Headings are unit vectors; `speed` is in u per tick. */
class Sample {
  constructor(tick, count, axes) {
    this.tick = tick;
    this.ids = new Int32Array(count);
    this.place = Array.from({length: axes}, () => new Float32Array(count));
    this.way = Array.from({length: axes}, () => new Float32Array(count));
    this.speed = new Float32Array(count);
    this.look = new Uint16Array(count);
    this.code = new Uint16Array(count);
  }
}

/** The samples of a world, and the moment between two of them that is shown. */
class Film {
  constructor(about) {
    this.about = about;
    this.axes = about.size.length;
    this.samples = [];
    this.scenery = []; // [index of a sample, words]
    this.still = about.size.map((side) => 2.5 * side / WHOLE); // less than that is no movement, only rounding
  }

  static of(about) {
    const film = new Film(about), {ticks, tracks, rows} = about, column = {};
    for (const name of ["serial", "kind", "first", "samples", "born", "died"]) {
      column[name] = summed(unplaned(about.section(name), tracks));
    }
    Object.assign(film, {serial: column.serial, kind: column.kind, born: column.born, died: column.died});
    const counts = new Int32Array(ticks.length + 1);
    for (let t = 0; t < tracks; t++) {
      counts[column.first[t]]++;
      counts[column.first[t] + column.samples[t]]--;
    }
    summed(counts);
    film.samples = ticks.map((tick, n) => new Sample(tick, counts[n], film.axes));
    const at = new Int32Array(ticks.length); // how many tracks each sample has so far
    const steps = about.size.map((_, axis) => unplaned(about.section("xyz"[axis]), rows));
    const look = unplaned(about.section("look"), rows), code = unplaned(about.section("code"), rows);
    for (let t = 0, row = 0; t < tracks; t++) {
      const here = [0, 0, 0], moved = [0, 0, 0];
      let ownLook = 0, ownCode = 0;
      for (let n = 0; n < column.samples[t]; n++, row++) {
        const sample = film.samples[column.first[t] + n], slot = at[column.first[t] + n]++;
        sample.ids[slot] = t;
        for (let axis = 0; axis < film.axes; axis++) {
          if (n === 0) here[axis] = steps[axis][row];
          else {
            moved[axis] = n === 1 ? steps[axis][row] : moved[axis] + steps[axis][row];
            here[axis] += moved[axis];
          }
          if (about.torus) here[axis] &= WHOLE - 1;
          sample.place[axis][slot] = here[axis] * about.size[axis] / WHOLE;
        }
        sample.look[slot] = ownLook += look[row];
        sample.code[slot] = ownCode += code[row];
      }
    }
    for (let n = 0; n < ticks.length; n++) film.findWays(n);
    film.fillWays();
    film.readScenery(about.section("forms"));
    return film;
  }

  readScenery(bytes) {
    const {forms, words} = this.about, all = new Uint32Array(bytes.buffer);
    let before = new Uint32Array(0), at = 0;
    for (const [sample, count] of forms) {
      const columns = all.subarray(at, at += count * words), made = new Uint32Array(count * words);
      for (let n = 0; n < count; n++) {
        for (let w = 0; w < words; w++) made[n * words + w] = columns[w * count + n];
      }
      if (made.length === before.length) made.forEach((_, n) => (made[n] ^= before[n]));
      this.scenery.push([sample, before = made]);
    }
  }

  /** The way from one place to another along an axis; on a torus the shorter one. */
  between(axis, from, to) {
    const side = this.about.size[axis], way = to - from;
    return this.about.torus ? way - side * Math.round(way / side) : way;
  }

  /** Find which way everybody of a sample goes, from the samples before and after; 0 for those that keep still. */
  findWays(number) {
    const {samples, axes} = this, here = samples[number];
    const past = samples[number - 1] || here, next = samples[number + 1] || here, way = [0, 0, 0];
    for (let slot = 0, p = 0, q = 0; slot < here.ids.length; slot++) {
      const id = here.ids[slot];
      while (past.ids[p] < id) p++;
      while (next.ids[q] < id) q++;
      const before = past.ids[p] === id ? past : here, after = next.ids[q] === id ? next : here;
      const b = before === here ? slot : p, a = after === here ? slot : q;
      let length = 0, still = true;
      for (let axis = 0; axis < axes; axis++) {
        way[axis] = this.between(axis, before.place[axis][b], after.place[axis][a]);
        length += way[axis] * way[axis];
        still &&= Math.abs(way[axis]) < this.still[axis];
      }
      length = Math.sqrt(length);
      for (let axis = 0; axis < axes; axis++) {
        here.way[axis][slot] = still ? (before === here ? 0 : before.way[axis][b]) : way[axis] / length;
      }
      here.speed[slot] = still ? 0 : length / Math.max(after.tick - before.tick, 1);
    }
  }

  /** Let those that keep still at first look where they will go; those that never move look along the x axis. */
  fillWays() {
    const known = new Map();
    for (let n = this.samples.length - 1; n >= 0; n--) {
      const {ids, way} = this.samples[n];
      for (let slot = 0; slot < ids.length; slot++) {
        if (way.some((along) => along[slot])) known.set(ids[slot], way.map((along) => along[slot]));
        else (known.get(ids[slot]) || [1, 0, 0]).forEach((along, axis) => axis < this.axes && (way[axis][slot] = along));
      }
    }
  }

  get first() { return this.samples[0].tick; }
  get last() { return this.samples[this.samples.length - 1].tick; }

  /** The index of the sample at or before a time. */
  index(time) {
    let low = 0, high = this.samples.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.samples[middle].tick <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Fill `shown` with who is there at a time, and where. */
  show(time, shown) {
    const k = this.index(time), here = this.samples[k], next = this.samples[k + 1], {axes, born, died} = this;
    const gap = next ? next.tick - here.tick : 1, share = (time - here.tick) / gap, tick = Math.ceil(time);
    shown.begin(here.ids.length + (next ? next.ids.length : 0), axes);
    let a = 0, b = 0;
    const ofNext = next ? next.ids : [];
    while (a < here.ids.length || b < ofNext.length) {
      const one = a < here.ids.length ? here.ids[a] : Infinity, other = b < ofNext.length ? ofNext[b] : Infinity;
      const id = Math.min(one, other), inHere = one === id, inNext = other === id, n = shown.count;
      const sample = inHere ? here : next, slot = inHere ? a : b;
      if ((inHere || !born || born[id] <= tick) && (inNext || !died || died[id] > tick) && (inHere || born)) {
        let turn = 0;
        for (let axis = 0; axis < axes; axis++) {
          const place = sample.place[axis][slot], way = sample.way[axis][slot];
          if (inHere && inNext) {
            const onward = next.way[axis][b];
            shown.place[axis][n] = place + share * this.between(axis, place, next.place[axis][b]);
            shown.way[axis][n] = way + share * (onward - way);
            shown.turn[axis][n] = (onward - way) / gap;
          } else {
            shown.place[axis][n] = place + way * sample.speed[slot] * (time - sample.tick);
            shown.way[axis][n] = way;
            shown.turn[axis][n] = 0;
          }
          turn += shown.way[axis][n] ** 2;
        }
        const length = Math.sqrt(turn) || 1;
        for (let axis = 0; axis < axes; axis++) shown.way[axis][n] /= length;
        shown.ids[n] = id;
        shown.speed[n] = sample.speed[slot];
        shown.look[n] = sample.look[slot];
        shown.code[n] = sample.code[slot];
        shown.count++;
      }
      a += inHere;
      b += inNext;
    }
    if (this.about.torus) {
      for (let axis = 0; axis < axes; axis++) {
        const side = this.about.size[axis], place = shown.place[axis];
        for (let n = 0; n < shown.count; n++) place[n] -= side * Math.floor(place[n] / side);
      }
    }
  }

  /** The scenery at a time: words, in which round things go from `begin` to `end` by the share that is returned too. */
  sceneryAt(time, walls) {
    const k = this.index(time), next = this.samples[k + 1], {scenery, axes, about} = this;
    const latest = (sample) => {
      let found = scenery.length - 1;
      while (found > 0 && scenery[found][0] > sample) found--;
      return found;
    };
    const one = latest(k), other = next ? latest(k + 1) : one;
    const name = one + (other << 16), share = next ? (time - this.samples[k].tick) / (next.tick - this.samples[k].tick) : 1;
    if (name !== this.sceneryName) {
      const words = scenery[one][1].slice(), then = scenery[other][1], kindAt = about.words - 1;
      const floats = new Float32Array(words.buffer), ends = new Float32Array(then.buffer, then.byteOffset, then.length);
      for (let at = 0; words.length === then.length && one !== other && at < words.length; at += about.words) {
        if (walls.includes(words[at + kindAt] >>> 24)) continue;
        const far = about.size.some((side, n) => n < axes && Math.abs(ends[at + axes + n] - floats[at + axes + n]) > side / 4);
        for (let n = 0; n < axes && !far; n++) floats[at + axes + n] = ends[at + axes + n];
      }
      Object.assign(this, {sceneryName: name, sceneryWords: words});
    }
    return {words: this.sceneryWords, share};
  }
}

/** Who is shown in a frame. */
class Shown {
  constructor() { this.room = 0; }

  begin(most, axes) {
    this.count = 0;
    if (this.place && this.room >= most) return;
    this.room = 2 * most;
    const floats = () => new Float32Array(this.room), vectors = () => Array.from({length: axes}, floats);
    Object.assign(this, {ids: new Int32Array(this.room), place: vectors(), way: vectors(), turn: vectors()});
    Object.assign(this, {speed: floats(), look: new Uint16Array(this.room), code: new Uint16Array(this.room)});
  }
}

// ---- WebGL

const COUNTS = {5126: ["uniform1f", 1], 35664: ["uniform2fv", 2], 35665: ["uniform3fv", 3], 35666: ["uniform4fv", 4]};
const FORM = [["begin", 2], ["end", 2], ["radius", 1], ["own", 4], ["variety", 1], ["kind_colour", 0]];
const SOLID = [["begin", 3], ["end", 3], ["radius", 1], ["deep", 1], ["variety", 1], ["flow", 3], ["kind_colour", 0]];
const INSTANCE = [["place_pose", -2], ["came", 0], ["look_code", 0]]; // below 1: unsigned whole numbers
const FLYING = [["place", 3], ["way", 3], ["came", 3], ["bank", 2], ["look_code", 0]];

/** The shader programs, buffers and textures of one canvas. */
class Graphics {
  constructor(canvas, about) {
    this.gl = canvas.getContext("webgl2", {alpha: false, antialias: true, depth: true, powerPreference: "low-power"});
    const gl = this.gl, named = gl.getExtension("WEBGL_debug_renderer_info");
    const renderer = gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER).toLowerCase();
    this.rich = !about.software.some((name) => renderer.includes(name));
    this.shaders = {...about.shaders.both, ...about.shaders[this.rich ? "rich" : "plain"]};
    this.programs = {};
    this.view = gl.createBuffer();
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 1, this.view);
  }

  /** A program whose attributes are numbered as in `layout`. */
  program(name, layout = []) {
    if (this.programs[name]) return this.programs[name];
    const gl = this.gl, made = gl.createProgram();
    [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, n) => {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, this.shaders[name][n]);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) console.error(`${name}: ${gl.getShaderInfoLog(shader)}`);
    });
    layout.forEach(([attribute], n) => gl.bindAttribLocation(made, n, attribute));
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) console.error(`${name}: ${gl.getProgramInfoLog(made)}`);
    const block = gl.getUniformBlockIndex(made, "View"), setters = {};
    if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(made, block, 1);
    for (let n = 0; n < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); n++) {
      const {name: full, type} = gl.getActiveUniform(made, n), at = gl.getUniformLocation(made, full);
      const set = at && (COUNTS[type] || ["uniform1i", 1]), plain = full.replace("[0]", "");
      if (at) setters[plain] = (value) => gl[full === plain ? set[0] : set[0].replace(/1f$/, "1fv")](at, value);
    }
    return (this.programs[name] = {made, setters});
  }

  /** Use a program with values by name; those that it does not know are left out. */
  use(program, values) {
    this.gl.useProgram(program.made);
    for (const name in values) program.setters[name]?.(values[name]);
    return program;
  }

  /** A buffer of instances that are laid out like this. */
  instances(layout, perVertex = false) {
    const gl = this.gl, buffer = gl.createBuffer(), array = gl.createVertexArray();
    const stride = 4 * layout.reduce((sum, [, count]) => sum + Math.abs(count || 1), 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    layout.reduce((at, [, count], n) => {
      gl.enableVertexAttribArray(n);
      if (count > 0) gl.vertexAttribPointer(n, count, gl.FLOAT, false, stride, at);
      else gl.vertexAttribIPointer(n, -count || 1, gl.UNSIGNED_INT, stride, at);
      if (!perVertex) gl.vertexAttribDivisor(n, 1);
      return at + 4 * Math.abs(count || 1);
    }, 0);
    gl.bindVertexArray(null);
    return {buffer, array, layout, count: 0, stride};
  }

  upload(instances, words) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, instances.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, words, gl.STREAM_DRAW);
    instances.count = words.byteLength / instances.stride;
  }

  draw(instances, mode, vertices) {
    if (!instances.count) return;
    this.gl.bindVertexArray(instances.array);
    this.gl.drawArraysInstanced(mode, 0, vertices, instances.count);
    this.gl.bindVertexArray(null);
  }

  /** A texture that shaders read by whole numbers: float32 by fours, or uint32 by ones or twos. */
  table(data, width, words) {
    const gl = this.gl, texture = gl.createTexture(), height = Math.max(Math.ceil(data.length / words / width), 1);
    const [inner, form, type] = data instanceof Float32Array
      ? [gl.RGBA32F, gl.RGBA, gl.FLOAT]
      : words === 2 ? [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT] : [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT];
    const whole = new data.constructor(width * height * words);
    whole.set(data);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, form, type, whole);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
  }

  picture(source) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return texture;
  }

  bind(...textures) {
    textures.forEach((texture, n) => {
      this.gl.activeTexture(this.gl.TEXTURE0 + n);
      this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
    });
  }

  look(block) {
    this.gl.bindBuffer(this.gl.UNIFORM_BUFFER, this.view);
    this.gl.bufferData(this.gl.UNIFORM_BUFFER, block, this.gl.STREAM_DRAW);
  }

  enable(...wanted) {
    const gl = this.gl;
    for (const what of [gl.BLEND, gl.DEPTH_TEST, gl.CULL_FACE]) (wanted.includes(what) ? gl.enable(what) : gl.disable(what));
  }

  forget() { this.gl.getExtension("WEBGL_lose_context")?.loseContext(); }
}

const FLOAT = new Float32Array(1), BITS = new Uint32Array(FLOAT.buffer);
const CODE = 20, SERIAL_MIX = 0x9e3779b1; // as in seen.py

/** The bits of a float32, rounded to the upper 23. */
function upperBits(value) {
  FLOAT[0] = value;
  return (BITS[0] + 0x100 & 0xfffffe00) >>> 0;
}

/** The bits of a number above 0 as a float16. */
function float16(value) {
  FLOAT[0] = Math.min(value, 65504) * 2 ** -112;
  return BITS[0] + 0x1000 >>> 13;
}

/** A direction as 11 bits, see `turned` in seen.py. */
function packedWay(x, y) {
  const far = Math.abs(x) + Math.abs(y) || 1;
  return Math.trunc(y / far * 511 + 511.5) | (x < 0 ? 0x400 : 0);
}

function banked(turn) { return Math.trunc(15 * turn / (3 + Math.abs(turn)) + 16.5); }

/** What both painters share: who is shown, and the tables of looks, shapes and colours. */
class Painter {
  constructor(canvas, film) {
    const {about} = film;
    this.film = film;
    this.about = about;
    this.graphics = new Graphics(canvas, about);
    this.takeShapes(new Float32Array(about.section("shapes").buffer));
    this.ramp = this.graphics.table(new Uint32Array(about.ramp), 256, 1);
  }

  takeShapes(shapes) {
    this.shapes = this.graphics.table(shapes, this.about.shapes[2], 4);
    this.looks = this.graphics.table(new Uint32Array(this.about.looks), 1024, 2);
    this.sizes = new Float32Array(new Uint32Array(this.about.looks).buffer).filter((_, n) => n % 2 === 0);
  }

  get serials() { return this.film.serial; }

  /** Give the scenery at a time to buffers, each of which draws some kinds of it; return how far it is on its way. */
  takeScenery(time, walls, buffers) {
    const {words, share} = this.film.sceneryAt(time, walls), size = this.about.words;
    for (const [kinds, instances] of words === this.scenery ? [] : buffers) {
      const chosen = [];
      for (let at = 0; at < words.length; at += size) {
        if (kinds.includes(words[at + size - 1] >>> 24)) chosen.push(...words.subarray(at, at + size));
      }
      this.graphics.upload(instances, new Uint32Array(chosen));
    }
    this.scenery = words;
    return share;
  }
}

/** Draws a flat world, as painter.py does. */
class FlatPainter extends Painter {
  constructor(canvas, film) {
    super(canvas, film);
    const {graphics, about} = this, {gl} = graphics;
    this.levels = [0, 1, 2].map(() => graphics.instances(INSTANCE));
    this.sorts = Object.keys(about.sorts).filter((sort) => graphics.shaders[sort]).map((sort) => [sort, graphics.instances(FORM)]);
    this.mesh = about.meshes[graphics.rich ? "rich" : "plain"];
    const [across, up] = this.mesh, corners = [];
    for (let y = 0; y < up; y++) {
      for (let x = 0; x < across; x++) {
        const low = y * (across + 1) + x, above = low + across + 1;
        corners.push(low, low + 1, above, low + 1, above + 1, above);
      }
    }
    this.corners = corners.length;
    this.sky = gl.createVertexArray();
    gl.bindVertexArray(this.sky);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(corners), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.bare = gl.createVertexArray();
    this.pictures = about.pictures.map(() => null);
    this.labels = about.labels.map((label) => this.letters(label));
  }

  /** A label as a picture: its texture, and half its width and height, u. */
  letters({text, size, colour}) {
    const canvas = document.createElement("canvas"), high = 96, pen = canvas.getContext("2d");
    const font = `600 ${high * 0.72}px system-ui, sans-serif`;
    pen.font = font;
    canvas.width = Math.min(Math.max(Math.ceil(pen.measureText(text).width) + 8, 1), 4096);
    canvas.height = high;
    Object.assign(pen, {font, textAlign: "center", textBaseline: "middle"});
    pen.fillStyle = `#${colour.toString(16).padStart(6, "0")}`;
    pen.fillText(text, canvas.width / 2, high / 2, canvas.width);
    return [this.graphics.picture(canvas), 0.5 * size / 0.72 * canvas.width / high, 0.5 * size / 0.72];
  }

  loaded(number, image) { this.pictures[number] = [this.graphics.picture(image), image.width, image.height]; }

  paint(camera, shown, time) {
    const {graphics, about} = this, {gl} = graphics, seconds = (time + 1) / about.rate % 3600;
    const pixel = 1 / (camera.zoom * camera.ratio);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    graphics.enable();
    graphics.look(camera.block());
    this.paintSky(camera, pixel, seconds);
    const alpha = this.takeScenery(time, about.sorts.wall, this.sorts.map(([sort, own]) => [about.sorts[sort], own]));
    graphics.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    for (const [x, y] of camera.copies()) {
      graphics.look(camera.block(-x, -y));
      const own = this.ownPixels(camera, pixel, x, y);
      for (const [sort, instances] of this.sorts) {
        graphics.use(graphics.program(sort, FORM), {
          pixel, alpha, time: seconds, own_pixels: own, light: about.backdrop.light,
          light_turn: about.backdrop.light_turn, glow: about.backdrop.glow_colour,
        });
        graphics.draw(instances, gl.TRIANGLE_STRIP, 4);
      }
      this.paintLabels(camera, x, y);
    }
    graphics.look(camera.block());
    this.paintAnimals(camera, shown, pixel, seconds % about.period);
  }

  paintSky(camera, pixel, time) {
    const {graphics, about} = this, {gl} = graphics, {backdrop} = about, [width, height] = camera.screen.map((side) => side / camera.zoom);
    const values = {
      ...backdrop, pixel, time, world_size: about.size, view: [camera.x - width / 2, camera.y - height / 2, width, height],
      depth: Math.sqrt(camera.zoom / camera.fitting), sharp: camera.ratio,
    };
    graphics.use(graphics.program("sky"), values);
    gl.bindVertexArray(this.sky);
    gl.drawElements(gl.TRIANGLES, this.corners, gl.UNSIGNED_SHORT, 0);
    gl.bindVertexArray(this.bare);
    graphics.enable(gl.BLEND);
    if (backdrop.points) {
      gl.blendFunc(gl.ONE, gl.ONE);
      graphics.use(graphics.program("stars"), values);
      gl.drawArraysInstanced(gl.POINTS, 0, backdrop.points, 9);
    }
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.pictures.forEach((picture, n) => {
      if (!picture) return;
      const [texture, wide, high] = picture, scale = Math.max(about.size[0] / wide, about.size[1] / high);
      graphics.bind(texture);
      graphics.use(graphics.program("picture"), {
        world_size: about.size, picture: [wide * scale, high * scale], tiles: +camera.tiles, light: about.pictures[n].light,
      });
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    });
  }

  /** The pixels that this copy of a torus may draw, see `_own_pixels` in scenery.py. */
  ownPixels(camera, pixel, left, low) {
    if (!this.about.torus) return [-1e9, -1e9, 1e9, 1e9];
    const middle = [camera.x - left, camera.y - low];
    return [[0, 0], this.about.size].flatMap((corner) => corner.map(
      (place, n) => Math.ceil((place - middle[n] + camera.screen[n] / 2 / camera.zoom) / pixel - 0.5 - 1e-3)));
  }

  paintLabels(camera, left, low) {
    const {graphics, about} = this, {gl} = graphics;
    graphics.shaders.label ||= [LABEL_VERTEX, LABEL_FRAGMENT];
    about.labels.forEach(({x, y}, n) => {
      const [texture, wide, high] = this.labels[n], [px, py] = camera.project([x + left, y + low]), [width, height] = camera.screen;
      graphics.bind(texture);
      graphics.use(graphics.program("label"), {
        middle: [2 * px / width - 1, 2 * py / height - 1], extent: [2 * wide * camera.zoom / width, 2 * high * camera.zoom / height],
      });
      gl.bindVertexArray(this.bare);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    });
  }

  least(crowding, pixel) {
    const {SMALLEST, LEAST, OF_SPACE} = this.about.sizes;
    return Math.min(Math.max(OF_SPACE / Math.sqrt(crowding), SMALLEST * pixel), LEAST * pixel);
  }

  paintAnimals(camera, shown, pixel, time) {
    const {graphics, about} = this, {gl} = graphics, {sizes, backdrop, size} = about;
    const crowding = Math.max(shown.count, 1) / (size[0] * size[1]), least = this.least(crowding, pixel);
    this.collect(camera, shown, pixel, least);
    const values = {
      region_offset: [0, 0], alpha: 1, torus: about.torus && !camera.tiles ? size : [0, 0], smallest: least,
      ink: Math.min(sizes.PLENTY / (crowding * pixel * pixel), 1), light: backdrop.light, time, rate: about.rate,
      shapes: 0, looks: 1, ramp: 2,
    };
    graphics.bind(this.shapes, this.looks, this.ramp);
    graphics.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.paintLevel(0, 0, "far", values);
    const layers = backdrop.shade ? (graphics.rich ? [1, 0.5, 0] : [0.5]) : [];
    for (const blur of layers) {
      this.paintLevel(2, 1, "shadow", {...values, blur, shade: backdrop.shade / (0.8 * layers.length)});
    }
    graphics.enable();
    this.paintLevel(1, 1, "coarse", values);
    this.paintLevel(2, 2, "detailed", values);
  }

  paintLevel(level, shapesOf, name, values) {
    const {graphics, about} = this, shapes = about.shapes[1];
    graphics.use(graphics.program(name, INSTANCE), {...values, first_shape: shapesOf * shapes});
    graphics.draw(this.levels[level], graphics.gl.TRIANGLES, Math.max(...about.corners[shapesOf]));
  }

  /** Collect the animals in view by their levels of detail, see seen.py. */
  collect(camera, shown, pixel, least) {
    const {sizes: own, about: {size, sizes, rate}, serials} = this, words = [[], [], []];
    let far = sizes.SMALLEST * pixel, coarse = sizes.DETAIL * pixel;
    if (least > far) [far, coarse] = [0, least < coarse ? coarse : 0];
    const [across, up] = camera.screen.map((side) => side / 2 / camera.zoom), [px, py] = shown.place, [wx, wy] = shown.way;
    const [tx, ty] = shown.turn;
    for (let n = 0; n < shown.count; n++) {
      const half = own[shown.look[n]], level = (half >= far) + (half >= coarse), reach = 2.2 * Math.max(half, least);
      const beat = Math.imul(serials[shown.ids[n]], SERIAL_MIX) >>> 27;
      let pose = packedWay(wx[n], wy[n]);
      if (level === 2) pose |= banked((wx[n] * ty[n] - wy[n] * tx[n]) * rate) << 11 | (beat & 3) << 16;
      const code = shown.look[n] | shown.code[n] << CODE | beat >> 2 << 29, came = float16(shown.speed[n]);
      const xs = camera.tiles ? copiesOf(px[n] - camera.x, across + reach, size[0]) : [px[n] - camera.x];
      const ys = camera.tiles ? copiesOf(py[n] - camera.y, up + reach, size[1]) : [py[n] - camera.y];
      for (const x of xs) {
        for (const y of ys) {
          words[level].push(upperBits(x) | pose >>> 9, upperBits(y) | pose & 511, came, code);
        }
      }
    }
    this.levels.forEach((level, n) => this.graphics.upload(level, new Uint32Array(words[n])));
  }
}

const LABEL_VERTEX = `#version 300 es
uniform vec2 middle, extent;
out vec2 at;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(middle + (at * 2.0 - 1.0) * extent, 0.0, 1.0);
}`;
const LABEL_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D pixels;
in vec2 at;
out vec4 painted;
void main() { painted = texture(pixels, vec2(at.x, 1.0 - at.y)); }`;

/** The copies of a coordinate on a torus, from the middle of the view, that are no farther from it than `far`. */
function copiesOf(coordinate, far, side) {
  const found = [];
  for (let n = Math.ceil((-far - coordinate) / side); coordinate + n * side <= far; n++) found.push(coordinate + n * side);
  return found;
}

/** A view of a world. Pixels are those of CSS, from the lower left; `ratio`: how many real ones are in one, across. */
class Camera {
  constructor({size, torus, above, pitch = 0}) {
    Object.assign(this, {size, wraps: torus, above, screen: [1, 1], ratio: 1, fitted: true});
    Object.assign(this, {focus: size.map((side) => side / 2), distance: 1, yaw: -24 * TAU / 360, pitch});
  }

  resize(width, height, ratio) {
    Object.assign(this, {screen: [width, height], ratio});
    if (this.fitted) this.fit();
  }
}

/** The view of a flat world, as in camera.py. */
class FlatCamera extends Camera {
  get ratios() { return this.screen.map((side, n) => side / this.size[n]); }
  get fitting() { return Math.min(...this.ratios); }
  get tiles() { return this.wraps && this.screen.every((side, n) => side <= 6 * this.zoom * this.size[n]); }

  fit() {
    const filling = Math.max(...this.ratios);
    this.zoom = filling * 5 / 6 <= this.fitting ? filling : this.fitting;
    this.lookAt(this.size[0] / 2, this.size[1] / 2);
    this.fitted = true;
  }

  lookAt(...place) {
    const share = this.zoom / this.fitting, freedom = share >= 0.999 || this.wraps ? 1 : Math.max((share - 0.5) / 0.499, 0);
    [this.x, this.y] = place.map((along, n) => {
      const side = this.size[n];
      if (this.wraps) return along - side * Math.floor(along / side);
      return Math.min(Math.max(along, side / 2 * (1 - freedom)), side / 2 * (1 + freedom));
    });
    this.fitted = false;
  }

  toWorld(x, y) { return [this.x + (x - this.screen[0] / 2) / this.zoom, this.y + (y - this.screen[1] / 2) / this.zoom]; }
  pan(dx, dy) { this.lookAt(this.x - dx / this.zoom, this.y - dy / this.zoom); }
  drag(dx, dy) { this.pan(dx, dy); }

  zoomAt(x, y, factor) {
    const [wx, wy] = this.toWorld(x, y), farthest = this.wraps ? this.fitting : this.fitting / 4;
    this.zoom = Math.min(Math.max(this.zoom * factor, farthest), Math.max(64, farthest));
    const [nx, ny] = this.toWorld(x, y);
    this.lookAt(this.x + wx - nx, this.y + wy - ny);
  }

  /** What finds the pixel that shows a place; where copies are shown, that of the one nearest to the middle. */
  get projection() {
    const middle = [this.x, this.y], {tiles, size} = this;
    return (place) => this.project(place.map((along, n) => along - tiles * size[n] * Math.round((along - middle[n]) / size[n])));
  }

  project([x, y]) { return [x - this.x, y - this.y].map((along, n) => this.screen[n] / 2 + this.zoom * along); }

  copies() {
    if (!this.tiles) return [[0, 0]];
    const low = this.toWorld(0, 0), high = this.toWorld(...this.screen), found = [];
    const from = low.map((along, n) => Math.floor(along / this.size[n] + 1e-6));
    const to = high.map((along, n) => Math.ceil(along / this.size[n] - 1e-6));
    for (let x = from[0]; x < to[0]; x++) for (let y = from[1]; y < to[1]; y++) found.push([x * this.size[0], y * this.size[1]]);
    return found;
  }

  block(dx = 0, dy = 0) {
    const [width, height] = this.screen, made = new Float32Array(20);
    made.set([2 * this.zoom / width, 0, 0, 0, 0, 2 * this.zoom / height, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, this.x + dx, this.y + dy]);
    return made;
  }
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((part) => part / (Math.hypot(...a) || 1));

/** The view of a world with depth, as in space/camera.py. */
class DeepCamera extends Camera {
  get axes() {
    const [sy, cy, sp, cp] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
    const right = [cy, 0, -sy], toward = [sy * cp, sp, cy * cp], axes = [right, cross(toward, right), toward];
    return this.above[1] ? axes : axes.map(([x, y, z]) => [x, -z, y]);
  }

  get focal() { return Math.min(...this.screen) / 2 / Math.tan(25 * TAU / 360); }
  get zoom() { return this.focal / this.distance; }
  get eye() { return this.axes[2].map((along, n) => this.focus[n] + this.distance * along); }
  get corners() { return [...Array(8).keys()].map((n) => this.size.map((side, axis) => (n >> axis & 1) * side)); }

  get fitting() {
    const axes = this.axes, half = this.screen.map((side) => side / 2);
    return Math.max(...this.corners.map((corner) => {
      const [across, upward, near] = axes.map((axis) => 0.8 * dot(axis, corner.map((c, n) => c - this.size[n] / 2)));
      return near + this.focal * Math.max(Math.abs(across) / half[0], Math.abs(upward) / half[1]);
    }));
  }

  fit() {
    Object.assign(this, {focus: this.size.map((side) => side / 2), distance: this.fitting, fitted: true});
  }

  lookAt(...place) {
    this.focus = place.map((along, n) => Math.min(Math.max(along, 0), this.size[n]));
    this.fitted = false;
  }

  pan(dx, dy) {
    const [right, up] = this.axes;
    this.lookAt(...this.focus.map((along, n) => along - (right[n] * dx + up[n] * dy) / this.zoom));
  }

  drag(dx, dy) {
    this.yaw -= dx * Math.PI / this.screen[0];
    this.pitch = Math.min(Math.max(this.pitch - dy * Math.PI / this.screen[1], -1.536), 1.536);
    this.fitted = false;
  }

  toWorld(x, y) {
    const [right, up] = this.axes, [a, b] = [x - this.screen[0] / 2, y - this.screen[1] / 2];
    return this.focus.map((along, n) => along + (right[n] * a + up[n] * b) / this.zoom);
  }

  zoomAt(x, y, factor) {
    const place = this.toWorld(x, y), before = this.distance;
    this.distance = Math.min(Math.max(before / factor, 2), Math.max(4 * this.fitting, 2));
    this.lookAt(...this.focus.map((along, n) => along + (place[n] - along) * (1 - this.distance / before)));
  }

  /** The matrix by columns: clip space of an offset from the focus. */
  get matrix() {
    const far = 2 * Math.max(...this.corners.map((corner) => Math.hypot(...corner.map((c, n) => c - this.eye[n])))), near = far / 4000;
    const [right, up, toward] = this.axes, scale = this.screen.map((side) => 2 * this.focal / side), back = this.distance;
    const deep = -(far + near) / (far - near), made = [];
    for (let n = 0; n < 3; n++) made.push(scale[0] * right[n], scale[1] * up[n], deep * toward[n], -toward[n]);
    return [...made, 0, 0, -deep * back - 2 * far * near / (far - near), back];
  }

  get projection() {
    const {matrix, focus, screen} = this;
    return (place) => {
      const off = [...place.map((along, n) => along - focus[n]), 1];
      const [x, y, away] = [0, 1, 3].map((row) => off.reduce((sum, along, n) => sum + along * matrix[4 * n + row], 0));
      return away > 0 ? [(x / away + 1) / 2 * screen[0], (y / away + 1) / 2 * screen[1]] : [NaN, NaN];
    };
  }

  project(place) { return this.projection(place); }

  block() {
    const [right, up] = this.axes, eye = this.eye.map((along, n) => along - this.focus[n]), [width, height] = this.screen;
    return new Float32Array([...this.matrix, ...this.focus, 0.2 * this.distance, ...eye, 0, ...right, width, ...up, height, ...this.above, this.focal]);
  }
}

/** Draws a world with depth, as space/drawing.py does. */
class DeepPainter extends Painter {
  constructor(canvas, film) {
    super(canvas, film);
    const {graphics, about} = this, corners = new Float32Array(about.section("solids").buffer);
    this.kinds = Object.entries(about.solids).map(([kind, count]) => [+kind, count, graphics.instances(SOLID)]);
    this.solids = graphics.table(corners, corners.length / 4 / this.kinds.length, 4);
    this.wind = graphics.instances(SOLID);
    this.near = graphics.instances(FLYING);
    this.far = graphics.instances(FLYING);
    this.words = [new Float32Array(0), new Float32Array(0)];
    this.frame = graphics.instances([["corner", 3]], true);
    graphics.upload(this.frame, new Float32Array(about.edges));
    this.bare = graphics.gl.createVertexArray();
  }

  paint(camera, shown, time) {
    const {graphics, about} = this, {gl} = graphics, {air, light, above, backdrop} = about, seconds = (time + 1) / about.rate % 3600;
    const lit = unit(air.sun.map((along, n) => along + above[n] * light[0] + camera.axes[2][n] * light[1]));
    const values = {...air, light: lit, floor_at: -dot(camera.focus, above), time: seconds % about.period, rate: about.rate};
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    graphics.look(camera.block());
    graphics.enable();
    const [right, up, toward] = camera.axes, rays = [[0, 0], [2, 0], [0, 2]].flatMap(([x, y]) => right.map((along, n) =>
      along * (x - 0.5) * camera.screen[0] + up[n] * (y - 0.5) * camera.screen[1] - toward[n] * camera.focal));
    graphics.use(graphics.program("dome"), {...values, ...backdrop, time: seconds, rays, world_size: about.size});
    gl.bindVertexArray(this.bare);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const buffers = [...this.kinds.map(([kind, , own]) => [[kind], own]), [about.wind.kinds, this.wind]];
    const solid = {...values, alpha: this.takeScenery(time, [about.slab], buffers)};
    this.paintSolids(solid, false);
    this.paintAnimals(camera, shown, {...values, alpha: 1, torus: [0, 0, 0], smallest: about.sizes.SMALLEST, shade: about.shade});
    if (this.wind.count) this.paintWind(solid);
    this.paintSolids(solid, true);
    graphics.enable(gl.DEPTH_TEST, gl.BLEND);
    graphics.use(graphics.program("edges", this.frame.layout), {opacity: about.edge});
    gl.bindVertexArray(this.frame.array);
    gl.drawArrays(gl.LINES, 0, this.frame.count);
  }

  paintWind(values) {
    const {graphics, about} = this, {gl} = graphics;
    graphics.enable(gl.DEPTH_TEST, gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    graphics.use(graphics.program("wind", SOLID), values);
    graphics.draw(this.wind, gl.TRIANGLES, about.wind.corners);
    gl.depthMask(true);
  }

  paintSolids(values, clear) {
    const {graphics, about} = this, {gl} = graphics, program = graphics.program(clear ? "clear" : "solid", SOLID);
    graphics.bind(this.solids);
    graphics.enable(gl.DEPTH_TEST, ...(clear ? [gl.BLEND, gl.CULL_FACE] : []));
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    for (const [kind, count, instances] of this.kinds) {
      if ((kind === about.clear) !== clear) continue;
      graphics.use(program, {...values, kind});
      graphics.draw(instances, gl.TRIANGLES, count);
    }
  }

  paintAnimals(camera, shown, values) {
    const {graphics, about} = this, {gl} = graphics, most = Math.max(...about.corners[0]);
    this.collect(camera, shown);
    graphics.bind(this.shapes, this.looks, this.ramp);
    const all = {...values, meshes: 0, looks: 1, ramp: 2};
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (about.shade) {
      graphics.enable(gl.BLEND, gl.DEPTH_TEST);
      gl.depthMask(false);
      graphics.use(graphics.program("shadow", FLYING), all);
      graphics.draw(this.near, gl.TRIANGLES, most);
      gl.depthMask(true);
    }
    graphics.enable(gl.DEPTH_TEST);
    graphics.use(graphics.program("mesh", FLYING), all);
    graphics.draw(this.near, gl.TRIANGLES, most);
    graphics.enable(gl.DEPTH_TEST, gl.BLEND);
    graphics.use(graphics.program("spot", FLYING), all);
    graphics.draw(this.far, gl.TRIANGLES, 3);
  }

  /** Collect the animals, near ones and those far away, see seen_in_space.py. */
  collect(camera, shown) {
    const {about: {above, sizes, rate}, serials} = this, {focus, focal, distance} = camera, toward = camera.axes[2], used = [0, 0];
    if (this.words[0].length < 12 * shown.count) this.words = [0, 1].map(() => new Float32Array(24 * shown.count));
    const codes = this.words.map((floats) => new Uint32Array(floats.buffer)), off = [0, 0, 0], way = [0, 0, 0], turn = [0, 0, 0];
    for (let n = 0; n < shown.count; n++) {
      for (let axis = 0; axis < 3; axis++) {
        off[axis] = shown.place[axis][n] - focus[axis];
        way[axis] = shown.way[axis][n];
        turn[axis] = shown.turn[axis][n] * rate;
      }
      const half = this.sizes[shown.look[n]], isNear = +(half * focal >= sizes.DETAIL * (distance - dot(off, toward)));
      const at = 12 * used[isNear]++, floats = this.words[isNear], bend = dot(unit(cross(way, above)), turn);
      floats.set(off, at);
      floats.set(way, at + 3);
      for (let axis = 0; axis < 3; axis++) floats[at + 6 + axis] = -way[axis] * shown.speed[n];
      floats[at + 9] = bend / (3 + Math.abs(bend));
      floats[at + 10] = (Math.imul(serials[shown.ids[n]], SERIAL_MIX) >>> 8) / (1 << 24);
      codes[isNear][at + 11] = shown.look[n] | shown.code[n] << CODE;
    }
    [this.far, this.near].forEach((one, n) => this.graphics.upload(one, this.words[n].subarray(0, 12 * used[n])));
  }
}

// ---- what a person sees and touches

const ICONS = {play: "M3 1l10 7-10 7z", pause: "M2 1h4v14H2zM10 1h4v14h-4z", step: "M2 1l7 7-7 7zM11 1h3v14h-3z",
  fit: "M1 6V1h5M10 1h5v5M15 10v5h-5M6 15H1v-5", theme: "M8 1a7 7 0 1 0 0 14z"};
const HUES = ["#3f8fd0", "#d9822b", "#4fa86a", "#a06cc8"];

/** An element with attributes, and text or elements inside. */
function make(name, values = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(values)) (key in made ? (made[key] = value) : made.setAttribute(key, value));
  made.append(...inside);
  return made;
}

function button(icon, title, does) {
  const image = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(image.namespaceURI, "path");
  image.setAttribute("viewBox", "0 0 16 16");
  path.setAttribute("d", ICONS[icon]);
  image.append(path);
  return make("button", {type: "button", title, ariaLabel: title, onclick: does, className: icon}, image);
}

class Viewer {
  constructor(root, film) {
    const {about} = film, deep = film.axes === 3;
    Object.assign(this, {film, about, root, time: film.first, speed: 1, playing: false, shown: new Shown(), pointers: new Map()});
    this.canvas = make("canvas", {tabIndex: 0, ariaLabel: about.title, role: "img"});
    this.tip = make("div", {className: "tip", hidden: true});
    this.stage = make("div", {className: "stage"}, this.canvas, this.tip);
    this.stage.style.aspectRatio = deep ? "16 / 9" : `${about.size[0]} / ${about.size[1]}`;
    this.toggle = button("play", "Play (Space)", () => this.play(!this.playing));
    this.slider = make("input", {type: "range", min: film.first, max: film.last, step: "any", value: film.first, ariaLabel: "Time"});
    this.clock = make("output");
    this.pace = make("select", {title: "Speed", ariaLabel: "Speed"}, ...[0.25, 0.5, 1, 2, 4].map((n) => make("option", {value: n, selected: n === 1}, `${n}×`)));
    this.bar = make("div", {className: "bar"}, this.toggle, this.slider, this.clock, this.pace,
      button("fit", "Whole world (0)", () => this.look(() => this.camera.fit())),
      button("theme", "Light or dark (T)", () => this.turnTheme()));
    this.chart = make("canvas", {className: "chart", hidden: !Object.keys(about.measures).length});
    this.words = make("div", {className: "words"});
    root.replaceChildren(this.stage, this.bar, this.chart, this.words);
    this.camera = new (deep ? DeepCamera : FlatCamera)(about);
    this.start();
    this.slider.oninput = () => this.seek(+this.slider.value);
    this.pace.onchange = () => (this.speed = +this.pace.value);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.changed());
    this.resize();
  }

  /** Make what draws; once more after the browser took its memory away. */
  start() {
    const {film, about} = this;
    this.painter = new (film.axes === 3 ? DeepPainter : FlatPainter)(this.canvas, film);
    about.pictures.forEach(({address}, n) => make("img", {src: address, onload: ({target}) => {
      this.painter.loaded?.(n, target);
      this.changed();
    }}));
  }

  play(on) {
    this.playing = on;
    this.toggle.replaceChildren(...button(on ? "pause" : "play", "").childNodes);
    this.toggle.title = this.toggle.ariaLabel = on ? "Pause (Space)" : "Play (Space)";
    this.before = 0;
    this.changed();
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.film.first), this.film.last);
    this.changed();
  }

  look(change) {
    change();
    this.changed();
  }

  changed() { this.asked ||= requestAnimationFrame((now) => this.frame(now)); }

  frame(now) {
    this.asked = 0;
    if (this.playing) {
      const {first, last} = this.film;
      this.time += this.before ? Math.min(now - this.before, 250) / 1000 * this.about.rate * this.speed : 0;
      if (this.more && last - this.time < this.about.rate / 5) this.more();
      if (this.time > last) this.time = this.more ? last : first + (this.time - last) % Math.max(last - first, 1);
      this.before = now;
      this.changed();
    }
    this.draw();
  }

  draw() {
    this.film.show(this.time, this.shown);
    this.painter.paint(this.camera, this.shown, this.time);
    this.slider.value = this.time;
    this.clock.value = `${(this.time / this.about.rate).toFixed(1)} s`;
    this.root.dataset.animals = this.shown.count;
    this.drawChart();
    if (this.mouse) this.point(...this.mouse);
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.stage, ratio = Math.min(devicePixelRatio || 1, 2);
    if (!width) return;
    Object.assign(this.canvas, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
    this.camera.resize(width, height, ratio);
    Object.assign(this.chart, {width: width * ratio, height: 56 * ratio});
    this.draw(); // at once, because the new size has cleared both
  }

  /** Draw the measures over time, each from its least to its greatest value, with the values of this moment in words. */
  drawChart() {
    const {measures, ticks, legend, ramp} = this.about, pen = this.chart.getContext("2d"), {width, height} = this.chart;
    const {first, last} = this.film, span = Math.max(last - first, 1), at = this.film.index(this.time), words = [];
    pen.clearRect(0, 0, width, height);
    Object.entries(measures).forEach(([name, values], n) => {
      const known = values.filter(Number.isFinite), low = Math.min(0, ...known), high = Math.max(...known, low + 1e-9, known.every((v) => v <= 1) ? 1 : 0);
      pen.strokeStyle = HUES[n % HUES.length];
      pen.lineWidth = height / 32;
      pen.beginPath();
      values.forEach((value, k) => value === null || pen.lineTo((ticks[k] - first) / span * width, height * (0.94 - 0.88 * (value - low) / (high - low))));
      pen.stroke();
      const dotOf = make("i");
      dotOf.style.background = HUES[n % HUES.length];
      words.push(make("span", {}, dotOf, `${name.replaceAll("_", " ").replace("population.", "")} ${values[at]?.toPrecision(3) ?? "none"}`));
    });
    pen.fillStyle = getComputedStyle(this.root).color;
    pen.fillRect((this.time - first) / span * (width - 2), 0, Math.max(height / 40, 1), height);
    if (legend) {
      const colours = ramp.map((colour) => `#${colour.toString(16).padStart(6, "0")}`), scale = make("i", {className: "scale"});
      scale.style.background = `linear-gradient(90deg, ${colours.join()})`;
      words.push(make("span", {}, `${legend.name} ${legend.low.toPrecision(3)}`, scale, `${legend.high.toPrecision(3)} ${legend.unit}`));
    }
    this.words.replaceChildren(...words);
  }

  /** The animal under a pixel, from the upper left of the canvas: its index in `shown`, or -1. */
  under(x, y) {
    const {shown, camera, film, painter} = this, {screen, projection} = camera;
    let best = -1, near = 14;
    for (let n = 0; n < shown.count; n++) {
      const [px, py] = projection(shown.place.map((along) => along[n])), far = Math.hypot(px - x, screen[1] - py - y);
      if (far < Math.max(near, best < 0 ? painter.sizes[shown.look[n]] * (film.axes === 3 ? 0 : camera.zoom) : 0)) [best, near] = [n, far];
    }
    return best;
  }

  /** Tell who is under the mouse, and how fast. */
  point(x, y) {
    const {shown, film, about} = this, n = this.under(x, y);
    this.mouse = [x, y];
    this.tip.hidden = n < 0;
    if (n < 0) return;
    const kind = about.kinds[film.kind[shown.ids[n]]].replaceAll("_", " ");
    this.tip.textContent = `${kind} · ${(shown.speed[n] * about.rate).toFixed(0)} u/s`;
    this.tip.style.translate = `${x + 14}px ${y + 10}px`;
  }

  turnTheme() {
    const root = this.root.closest(".themed"), dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    this.changed();
  }

  listen() {
    const {canvas, pointers} = this, at = ({offsetX, offsetY}) => [offsetX, offsetY], high = () => this.camera.screen[1];
    canvas.onpointerdown = (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, at(event));
      this.travelled = 0;
    };
    canvas.onpointermove = (event) => {
      const [x, y] = at(event), last = pointers.get(event.pointerId);
      if (!last) return void (event.pointerType === "mouse" && this.point(x, y));
      const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)?.[1], [dx, dy] = [x - last[0], last[1] - y];
      this.travelled += Math.abs(dx) + Math.abs(dy);
      this.look(() => {
        if (other) {
          const before = Math.hypot(last[0] - other[0], last[1] - other[1]), now = Math.hypot(x - other[0], y - other[1]);
          this.camera.pan(dx / 2, dy / 2);
          this.camera.zoomAt((x + other[0]) / 2, high() - (y + other[1]) / 2, now / Math.max(before, 1));
        } else if (event.shiftKey || event.buttons === 2) this.camera.pan(dx, dy);
        else this.camera.drag(dx, dy);
      });
      pointers.set(event.pointerId, [x, y]);
    };
    canvas.onpointerup = canvas.onpointercancel = (event) => {
      pointers.delete(event.pointerId);
      if (event.type === "pointerup" && this.travelled < 4) this.clicked?.(...at(event));
    };
    canvas.onpointerleave = () => {
      this.mouse = null;
      this.tip.hidden = true;
    };
    canvas.oncontextmenu = (event) => event.preventDefault();
    canvas.ondblclick = () => this.look(() => this.camera.fit());
    canvas.addEventListener("wheel", (event) => {
      if (!this.alone && !canvas.matches(":focus")) return; // it scrolls what the viewer is a part of
      event.preventDefault();
      const [x, y] = at(event);
      this.look(() => this.camera.zoomAt(x, high() - y, Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.0015))));
    }, {passive: false});
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.look(() => this.start()));
    const chartAt = (event) => event.buttons && this.seek(this.film.first + event.offsetX / this.chart.clientWidth * (this.film.last - this.film.first));
    this.chart.onpointerdown = this.chart.onpointermove = chartAt;
  }

  /** Keys: Space, arrows, comma and full stop, plus and minus, 0, Home, End, T. */
  key(event) {
    const {rate} = this.about, centre = this.camera.screen.map((side) => side / 2), zoom = (factor) => this.look(() => this.camera.zoomAt(...centre, factor));
    const does = {
      " ": () => this.play(!this.playing), ArrowLeft: () => this.seek(this.time - rate), ArrowRight: () => this.seek(this.time + rate),
      ",": () => this.seek(Math.ceil(this.time) - 1), ".": () => (this.forward ? this.forward() : this.seek(Math.floor(this.time) + 1)), "+": () => zoom(1.25), "=": () => zoom(1.25),
      "-": () => zoom(0.8), 0: () => this.look(() => this.camera.fit()), Home: () => this.seek(this.film.first), End: () => this.seek(this.film.last),
      t: () => this.turnTheme(),
    }[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey || event.target.localName === "select") return;
    event.preventDefault();
    does();
  }
}

/** Play the bundle of a page in an element, in which there is a picture for browsers that can't. */
async function play(root) {
  const page = document.documentElement, theme = () => (page.dataset.theme = location.hash.slice(1)); // as the page around it wishes
  page.classList.toggle("framed", self !== top);
  addEventListener("hashchange", theme);
  theme();
  const able = typeof DecompressionStream === "function" && make("canvas").getContext("webgl2");
  if (!able) {
    root.append(make("p", {className: "told"}, "This browser can't play it, because it has no WebGL 2: this is a picture of its beginning."));
    return;
  }
  able.getExtension("WEBGL_lose_context")?.loseContext();
  const film = Film.of(await opened(bytesOf(document.getElementById("boids-bundle").textContent)));
  const viewer = root.viewer = new Viewer(root, film);
  viewer.alone = self === top;
  addEventListener("keydown", (event) => viewer.key(event));
  viewer.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}
