// Plays a scene in the place of its picture, one at a time. Without this script the picture leads to a page of its own.
let played, frame;

/** What the viewer is told of the theme: "" leaves it to the system, as the site does then. */
const theme = () => ({light: "light", dark: "dark"}[document.body.dataset.theme] ?? "");

function playInPlace(link) {
  const image = link.querySelector("img");
  frame?.replaceWith(played);
  frame = document.createElement("iframe");
  Object.assign(frame, {src: `${link.href}#${theme()}`, title: image.alt, className: "playing", scrolling: "no"});
  frame.style.setProperty("--ratio", image.naturalWidth / image.naturalHeight);
  (played = link).replaceWith(frame);
  frame.focus();
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("a.plays");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  playInPlace(link);
});

addEventListener("DOMContentLoaded", () => {
  new MutationObserver(() => frame?.contentWindow?.location.replace(`${played.href}#${theme()}`))
    .observe(document.body, {attributeFilter: ["data-theme"]});
});
