// What Python cannot do with pictures in a page: the browser decodes them, resvg draws SVG, and photographs are packed.
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import encode from "jpeg-js/lib/encoder.js";

const context = (canvas) => canvas.getContext("2d", { willReadFrequently: true });
const all = (canvas) => context(canvas).getImageData(0, 0, canvas.width, canvas.height);
function canvas_of(width, height, dots, colour) {
  const canvas = new OffscreenCanvas(width, height);
  if (dots) context(canvas).putImageData(new ImageData(new Uint8ClampedArray(dots), width, height), 0, 0);
  if (colour) Object.assign(context(canvas), { fillStyle: colour }).fillRect(0, 0, width, height);
  return canvas;
}
function drawn(canvas, picture, strength, ...box) {
  Object.assign(context(canvas), { imageSmoothingQuality: "high", globalAlpha: strength }).drawImage(picture, ...box);
  return canvas;
}
async function decoded(bytes) {
  const bitmap = await createImageBitmap(new Blob([bytes]));
  return drawn(canvas_of(bitmap.width, bitmap.height), bitmap, 1, 0, 0);
}

export const pictures = (read) => ({
  canvas_of,
  drawn,
  decoded,
  dots_of(canvas, parts) {
    const { data } = all(canvas);
    return parts === 4 ? data : Uint8Array.from({ length: (data.length / 4) * 3 }, (_, at) => data[Math.floor(at / 3) * 4 + (at % 3)]);
  },
  jpeg: (canvas, quality) => encode(all(canvas), quality).data,
  // The same picture, no larger than that, as a file of nothing but dots.
  async plain(bytes, side, photo) {
    const whole = await decoded(bytes);
    const scale = Math.min(1, side / Math.max(whole.width, whole.height));
    const [width, height] = [whole.width, whole.height].map((each) => Math.max(1, Math.round(each * scale)));
    const file = await drawn(canvas_of(width, height), whole, 1, 0, 0, width, height).convertToBlob({ type: photo ? "image/jpeg" : "image/png", quality: 0.92 });
    return new Uint8Array(await file.arrayBuffer());
  },
  resvg: async () => initWasm(await (await read("resvg.wasm")).arrayBuffer()),
  svg(text, background) {
    const drawing = new Resvg(text, { background, font: { loadSystemFonts: false } });
    const picture = drawing.render();
    const { pixels } = picture;
    // Its colours are multiplied by the opacity.
    for (let at = 3; at < pixels.length; at += 4) if (pixels[at] % 255) for (let part = at - 3; part < at; part++) pixels[part] = Math.fround(pixels[part] / Math.fround(pixels[at] / 255)) + 0.5;
    picture.free();
    drawing.free();
    return pixels;
  },
});
