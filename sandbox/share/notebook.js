/* The viewer in a notebook: it shows what the simulation sends, asks for more while it plays, and places with a click. */

/** The samples of a simulation that goes on; the latest stay, to be looked back at. */
class LiveFilm extends Film {
  constructor(about) {
    super(about);
    Object.assign(this, {live: true, serial: [], kind: [], latest: null});
  }

  /** Take a sample that was sent: one of the same tick takes the place of the last one. */
  take({tick, count}, [ids, kinds, places, looks, codes, words]) {
    const {samples, axes, scenery} = this, made = new Sample(tick, count, axes);
    if (samples.length && tick < this.last) this.samples.length = scenery.length = 0;
    if (samples.length && tick === this.last) this.samples.pop();
    made.ids.set(new Int32Array(ids));
    made.place.forEach((along, axis) => along.set(new Float32Array(places, 4 * axis * count, count)));
    made.look.set(new Uint16Array(looks));
    made.code.set(new Uint16Array(codes));
    made.ids.forEach((serial, n) => {
      this.serial[serial] = serial;
      this.kind[serial] = new Uint16Array(kinds)[n];
    });
    samples.push(made);
    while (scenery.length && scenery.at(-1)[0] >= samples.length - 1) scenery.pop();
    scenery.push([samples.length - 1, new Uint32Array(words)]);
    if (samples.length > 1200) {
      samples.shift();
      this.scenery = scenery.map(([n, own]) => [n - 1, own]).filter(([n]) => n >= 0);
    }
    this.sceneryName = null;
    for (const n of [samples.length - 2, samples.length - 1]) if (n >= 0) this.findWays(n);
  }
}

function render({model, el}) {
  let viewer = null, asked = false, heard = Promise.resolve();
  const send = (message) => model.send(message);
  const step = (ticks) => {
    asked = true;
    send({do: "step", ticks});
  };
  const told = make("p", {className: "told"});
  el.classList.add("boids", "themed");
  model.on("msg:custom", (message, views) => {
    const buffers = (views || []).map((view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    const next = () => hear(message, buffers);
    heard = heard.then(next, next); // one after the other: it takes a while to open a bundle
  });
  send({do: "begin"});
  return () => viewer && forget(viewer);

  async function hear(message, buffers) {
    if (message.is === "begin") {
      const film = new LiveFilm(await opened(new Uint8Array(buffers[0]))), before = viewer;
      film.take(message, buffers.slice(1));
      if (before) forget(before);
      viewer = begun(el, film, message, step, send);
      el.append(told);
      asked = false;
      if (before) {
        viewer.pace.value = viewer.speed = before.speed;
        viewer.play(before.playing);
      }
    } else if (message.is === "sample" && viewer) {
      const atEnd = viewer.time >= viewer.film.last || message.tick <= viewer.film.last;
      asked = false;
      viewer.about.legend = message.legend;
      if (message.looks) {
        viewer.about.looks = message.looks;
        Object.assign(viewer.about, {shapes: message.shapes, corners: message.corners});
        viewer.painter.takeShapes(new Float32Array(buffers[6]));
      }
      viewer.film.take(message, buffers);
      Object.assign(viewer.slider, {min: viewer.film.first, max: viewer.film.last});
      if (atEnd && !viewer.playing) viewer.time = viewer.film.last;
      viewer.seek(viewer.time);
    }
    told.textContent = message.told || "";
    if (message.is === "told") viewer?.play(false);
  }

  /** Let a viewer draw and ask no more. */
  function forget(viewer) {
    cancelAnimationFrame(viewer.asked);
    viewer.changed = () => {};
    viewer.painter.graphics.forget();
  }

  function begun(root, film, message, step, send) {
    const made = new Viewer(root, film), prefab = make("select", {title: "A click places", ariaLabel: "A click places"});
    root.viewer = made;
    prefab.append(...film.about.kinds.map((name) => make("option", {value: name, selected: name === message.prefab}, name.replaceAll("_", " "))));
    made.pace.after(button("step", "One tick (.)", () => made.forward()), prefab);
    made.forward = () => {
      made.play(false);
      if (made.time < film.last) made.seek(Math.floor(made.time) + 1);
      else if (!asked) step(1);
    };
    made.more = () => asked || step(Math.max(Math.round(film.about.rate / 20 * Math.max(made.speed, 1)), 1));
    made.clicked = (x, y) => send({do: "place", prefab: prefab.value, at: made.camera.toWorld(x, made.camera.screen[1] - y)});
    made.stage.addEventListener("keydown", (event) => made.key(event));
    return made;
  }
}

export default {render};
