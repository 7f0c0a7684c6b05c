/** The demo player: a native dialog, and a video that exists only while the dialog is open. */
export function wirePlayer() {
  const dialog = document.getElementById("player");
  if (!(dialog instanceof HTMLDialogElement)) return;
  const stage = dialog.querySelector("[data-stage]");
  const title = dialog.querySelector("#player-title");
  const note = dialog.querySelector("[data-note]");

  for (const card of document.querySelectorAll<HTMLElement>("[data-demo]")) {
    card.addEventListener("click", () => {
      if (title) title.textContent = card.dataset.title ?? "";
      if (note instanceof HTMLElement) {
        note.textContent = card.dataset.note ?? "";
        note.hidden = !card.dataset.note;
      }
      const video = player(card.dataset);
      stage?.replaceChildren(video);
      dialog.showModal();
      // A browser that blocks autoplay shows the poster and its own button.
      video.play().catch(() => undefined);
    });
  }
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => stage?.replaceChildren());
}

function player({ title, video: source, poster, captions }: DOMStringMap): HTMLVideoElement {
  const video = document.createElement("video");
  video.className = "block size-full";
  video.controls = true;
  video.playsInline = true;
  video.muted = true;
  video.preload = "metadata";
  video.src = source ?? "";
  video.setAttribute("aria-label", title ?? "");
  if (poster) video.poster = poster;
  if (captions) {
    const track = document.createElement("track");
    Object.assign(track, { kind: "captions", srclang: "en", label: "English", src: captions, default: true });
    video.append(track);
  }
  return video;
}
