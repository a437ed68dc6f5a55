// All points of the pool, drawn with WebGL2. A pass draws every k-th point (a longer stride over the same buffers), and
// each frame draws as many passes as it has time for: a million points pan at once and fill in when the map rests.
import { classColor, N_COLORS, N_RAMP, rampColor, resolve, SHAPES } from "../palette.js";

const VERTEX = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in int prediction; // class in the upper bits, level in the lower eight
layout(location = 2) in vec2 before; // where it comes from, while it moves
uniform vec2 center, scale;
uniform mediump float size;
uniform float share; // of the way from there
uniform bool byLevel;
uniform mediump sampler2D palette;
flat out vec3 color;
flat out int shape;
void main() {
  gl_Position = vec4((mix(before, place, share) - center) * scale, 0.0, 1.0);
  gl_PointSize = size;
  int level = prediction & 255;
  int number = prediction >> 8;
  int known = byLevel ? (level == 255 ? -1 : level) : (number < 0 ? -1 : number % ${N_COLORS});
  shape = byLevel || number < 0 ? 0 : (number / ${N_COLORS}) % ${SHAPES.length};
  color = texelFetch(palette, ivec2(known + 1, known >= 0 && byLevel ? 1 : 0), 0).rgb;
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
flat in vec3 color;
flat in int shape;
uniform mediump float size;
uniform bool round;
out vec4 seen;
void main() {
  vec2 off = abs(gl_PointCoord - 0.5);
  float far = shape == 0 ? length(off) : shape == 1 ? 1.15 * max(off.x, off.y) : 0.9 * (off.x + off.y);
  float alpha = round ? clamp(size * (0.5 - far) + 0.5, 0.0, 1.0) : 1.0;
  if (alpha == 0.0) discard;
  seen = vec4(color * alpha, alpha);
}`;

const PASS = 32000; // points of one pass
const MOST = 31; // passes: 31 * 8 bytes is the longest stride that WebGL allows

/** @returns a drawer, or null where there is no WebGL2 */
export function createPoints(canvas) {
  const gl = canvas.getContext("webgl2", {
    alpha: true,
    antialias: false,
    depth: false,
    preserveDrawingBuffer: true,
    powerPreference: "low-power",
  });
  if (!gl) return null;
  let parts = null; // program, buffers, texture: gone with the context
  let data = { n: 0, coordinates: null, predictions: null, before: null };
  let share = 1; // of the way from `before`
  let frame = 0;
  let look = null; // {camera center and scale, size, byLevel}
  let next = 0; // pass to draw
  let perFrame = 1;
  let last = 0;
  const passes = () => Math.min(MOST, Math.max(1, Math.ceil(data.n / PASS)));

  function build() {
    parts = { program: link(gl), buffers: [0, 1, 2].map(() => gl.createBuffer()), palette: gl.createTexture() };
    gl.useProgram(parts.program);
    parts.at = Object.fromEntries(
      ["center", "scale", "size", "share", "byLevel", "round"].map((name) => [
        name,
        gl.getUniformLocation(parts.program, name),
      ]),
    );
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    paint();
    upload();
  }

  /** Colors of the theme of now. */
  function paint() {
    const steps = 255;
    const texels = new Uint8Array((steps + 1) * 2 * 4).fill(255);
    const classes = resolve(Array.from({ length: N_COLORS + 1 }, (_, k) => classColor(k - 1)));
    classes.forEach((rgb, k) => texels.set(rgb, 4 * k));
    const ramp = resolve(Array.from({ length: N_RAMP }, (_, k) => rampColor(k)));
    for (let k = 0; k < steps; k++) {
      const t = (k / (steps - 1)) * (N_RAMP - 1);
      const a = Math.min(N_RAMP - 2, Math.floor(t));
      texels.set(
        [0, 1, 2].map((c) => ramp[a][c] + (t - a) * (ramp[a + 1][c] - ramp[a][c])),
        4 * (steps + 1 + k + 1),
      );
    }
    gl.bindTexture(gl.TEXTURE_2D, parts.palette);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, steps + 1, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  function upload(which = [0, 1, 2]) {
    const arrays = [data.coordinates, data.predictions, data.before];
    for (const k of which) {
      gl.disableVertexAttribArray(k);
      if (!arrays[k]) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, parts.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, arrays[k], gl.STATIC_DRAW);
      gl.enableVertexAttribArray(k);
    }
  }

  /** Every k-th point, from the r-th on. */
  function pass(r) {
    const k = passes();
    const count = Math.ceil((data.n - r) / k);
    if (count <= 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, parts.buffers[0]);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8 * k, 8 * r);
    gl.bindBuffer(gl.ARRAY_BUFFER, parts.buffers[1]);
    gl.vertexAttribIPointer(1, 1, gl.INT, 4 * k, 4 * r);
    if (data.before) {
      gl.bindBuffer(gl.ARRAY_BUFFER, parts.buffers[2]);
      gl.vertexAttribPointer(2, 2, gl.FLOAT, false, 8 * k, 8 * r);
    }
    gl.drawArrays(gl.POINTS, 0, count);
  }

  function draw(now) {
    frame = 0;
    if (!parts || !look || !data.coordinates || !data.predictions || gl.isContextLost()) return;
    pace(now);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform2f(parts.at.center, look.x, look.y);
    gl.uniform2f(parts.at.scale, look.sx, look.sy);
    gl.uniform1f(parts.at.size, look.size);
    gl.uniform1f(parts.at.share, share);
    gl.uniform1i(parts.at.byLevel, look.byLevel ? 1 : 0);
    const round = look.size > 2.5;
    gl.uniform1i(parts.at.round, round ? 1 : 0);
    if (round) gl.enable(gl.BLEND);
    else gl.disable(gl.BLEND);
    if (next === 0 && look.fresh) {
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
    const end = Math.min(passes(), next + perFrame);
    for (; next < end; next++) pass(next);
    if (next < passes()) schedule();
    else last = 0;
  }

  /** More passes in a frame while frames come quickly, fewer when they do not. */
  function pace(now) {
    const took = last ? now - last : 0;
    last = now;
    if (!took) return;
    if (took > 40) perFrame = Math.max(1, Math.floor(perFrame / 2));
    else if (took < 22) perFrame = Math.min(passes(), perFrame + 1);
  }

  const schedule = () => (frame ||= requestAnimationFrame(draw));

  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // then the browser gives it back
    parts = null;
  });
  canvas.addEventListener("webglcontextrestored", () => {
    build();
    again(true);
  });

  /** Draws anew; what is there is wiped only when places changed, so that new colors do not flicker. */
  function again(fresh) {
    if (look) look.fresh = fresh || passes() === 1 || (look.fresh && next === 0);
    next = 0;
    schedule();
  }

  build();
  return {
    /** @param before  where the points come from; null: they are there at once */
    setCoordinates(coordinates, before) {
      data = { ...data, n: coordinates.length / 2, coordinates, before };
      share = before ? 0 : 1;
      if (data.predictions?.length !== data.n) data.predictions = new Int32Array(data.n).fill(-1);
      if (parts) upload();
      again(true);
    },
    setShare(now) {
      share = now;
      if (share === 1) data.before = null;
      if (share === 1 && parts) upload([2]);
      again(true);
    },
    setColors(codes, levels) {
      if (codes.length !== data.n) return; // of another pool: its places come first
      data = { ...data, predictions: packed(codes, levels) };
      if (parts) upload([1]);
      again(false);
    },
    setLook(wish) {
      look = { ...wish, fresh: true };
      next = 0;
      schedule();
    },
    repaint() {
      if (parts) paint();
      again(true);
    },
    close() {
      cancelAnimationFrame(frame);
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

/** Class and level in one number: drivers copy attributes whose stride is not a multiple of four. */
function packed(codes, levels) {
  const predictions = new Int32Array(codes.length);
  for (let i = 0; i < predictions.length; i++) predictions[i] = (codes[i] << 8) | levels[i];
  return predictions;
}

function link(gl) {
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(gl.getProgramInfoLog(program));
  return program;
}
