// The circles of a small graph, to play with: docs/method/circles.md. No other script is needed.
"use strict";
(() => {
  const EDGES = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [1, 4], [3, 5], [5, 6], [6, 7], [7, 8], [8, 5], [6, 8]];
  const PLACES = [[0, 1], [0.8, 1.7], [1.7, 1.4], [1.7, 0.5], [0.7, 0.2], [2.8, 0.4], [3.5, 1.1], [4.4, 0.8], [3.7, 0]];
  const N = PLACES.length;
  const LINK = PLACES.map((_, i) => PLACES.map((_, j) => +EDGES.some(([a, b]) => (a === i && b === j) || (a === j && b === i))));
  const sum = (list) => list.reduce((a, b) => a + b, 0);

  // Psi on the samples U: degrees + alpha on the diagonal, -1 at links.
  const psi = (U, alpha) => U.map((i) => U.map((j) => (i === j ? sum(LINK[i]) + alpha : -LINK[i][j])));

  // Eigenvalues of a small symmetric matrix, by Jacobi's rotations.
  function eigenvalues(matrix) {
    const A = matrix.map((row) => [...row]);
    for (let sweep = 0; sweep < 60; sweep++) {
      for (let p = 0; p < A.length; p++) {
        for (let q = p + 1; q < A.length; q++) {
          if (Math.abs(A[p][q]) < 1e-13) continue;
          const t = (A[q][q] - A[p][p]) / (2 * A[p][q]);
          const tan = Math.sign(t || 1) / (Math.abs(t) + Math.hypot(1, t));
          const cos = 1 / Math.hypot(1, tan), sin = tan * cos;
          for (let k = 0; k < A.length; k++) [A[k][p], A[k][q]] = [cos * A[k][p] - sin * A[k][q], sin * A[k][p] + cos * A[k][q]];
          for (let k = 0; k < A.length; k++) [A[p][k], A[q][k]] = [cos * A[p][k] - sin * A[q][k], sin * A[p][k] + cos * A[q][k]];
        }
      }
    }
    return A.map((row, i) => row[i]).sort((a, b) => a - b);
  }

  // x with matrix x = b, by elimination; the matrix is diagonally dominant, so no pivots are needed.
  function solve(matrix, b) {
    const A = matrix.map((row, i) => [...row, b[i]]);
    for (let p = 0; p < A.length; p++) {
      for (let i = 0; i < A.length; i++) {
        const f = i === p ? 0 : A[i][p] / A[p][p];
        if (f) for (let k = p; k <= A.length; k++) A[i][k] -= f * A[p][k];
      }
    }
    return A.map((row, i) => row[A.length] / row[i]);
  }

  // Centers and radii. Scaled: those of D^-1 Psi D, D = diag(x), which has the same eigenvalues.
  function circles(M, scaled) {
    let x = M.map(() => 1);
    if (scaled) for (let step = 0; step < 12; step++) { x = solve(M, x); const top = Math.max(...x); x = x.map((v) => v / top); }
    return M.map((row, i) => [row[i], sum(row.map((v, j) => (i === j ? 0 : Math.abs(v) * x[j] / x[i])))]);
  }

  function measures(labeled, alpha) {
    const U = PLACES.map((_, i) => i).filter((i) => !labeled.has(i));
    if (!U.length) return { U, Q: 0, kappa: 1 };
    const M = psi(U, alpha), plain = circles(M, false), values = eigenvalues(M);
    const A = Math.max(...U.map((i) => sum([...labeled].map((j) => LINK[i][j]))));
    const B = Math.max(...plain.map(([c, s]) => c + s)), C = Math.min(...plain.map(([c, s]) => c - s));
    return { U, M, values, A, B, C, Q: A > 0 ? (A + B) / (A * C) : Infinity, kappa: values[values.length - 1] / values[0] };
  }

  // What GCLS would take next: the least Q; ties by least weight to landmarks, then the largest radius.
  function next(labeled, alpha) {
    const free = PLACES.map((_, i) => i).filter((i) => !labeled.has(i));
    const tried = free.map((i) => [measures(new Set([...labeled, i]), alpha).Q, i]);
    const least = Math.min(...tried.map(([Q]) => Q));
    const tied = tried.filter(([Q]) => Q === least || Math.abs(Q - least) < 1e-9 * least).map(([, i]) => i);
    const weight = (i) => sum([...labeled].map((j) => LINK[i][j]));
    tied.sort((a, b) => weight(a) - weight(b) || sum(LINK[b]) - sum(LINK[a]) || a - b);
    return { pick: tied[0], tied };
  }

  const shown = (v) => (Number.isFinite(v) ? (v >= 1000 ? Math.round(v).toLocaleString("en") : v.toPrecision(3).replace(/\.?0+$/, "")) : "∞");
  const svg = (name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  function start(root) {
    const labeled = new Set();
    const part = (name) => root.querySelector(`[data-part=${name}]`);
    const alpha = () => 10 ** Number(part("alpha").value);

    function graph() {
      const box = part("graph"), focused = box.contains(document.activeElement) ? document.activeElement.dataset.sample : null;
      box.replaceChildren();
      const at = ([x, y]) => [30 + 60 * x, 125 - 60 * y];
      for (const [i, j] of EDGES) {
        const [x1, y1] = at(PLACES[i]), [x2, y2] = at(PLACES[j]);
        box.append(svg("line", { x1, y1, x2, y2, class: "link" }));
      }
      PLACES.forEach((place, i) => {
        const [x, y] = at(place);
        const g = svg("g", { class: labeled.has(i) ? "sample labeled" : "sample", tabindex: 0, role: "button", "aria-pressed": labeled.has(i), "aria-label": `sample ${i}`, "data-sample": i });
        g.append(svg("circle", { cx: x, cy: y, r: 13 }), svg("text", { x, y: y + 4 }, i));
        const turn = () => { labeled.has(i) ? labeled.delete(i) : labeled.add(i); draw(); };
        g.addEventListener("click", turn);
        g.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); turn(); } });
        box.append(g);
        if (focused === String(i)) g.focus();
      });
    }

    function draw() {
      const found = measures(labeled, alpha()), scaled = part("scaled").checked, line = part("line");
      graph();
      line.replaceChildren();
      const x = (v) => 24 + 36 * v;
      line.append(svg("line", { x1: 0, x2: 340, y1: 110, y2: 110, class: "axis" }));
      for (let v = 0; v <= 8; v += 2) line.append(svg("text", { x: x(v), y: 226, class: "tick" }, v), svg("line", { x1: x(v), x2: x(v), y1: 210, y2: 214, class: "axis" }));
      if (found.U.length) {
        for (const [c, s] of circles(found.M, scaled)) line.append(svg("circle", { cx: x(c), cy: 110, r: 36 * s, class: "disc" }));
        const left = Math.min(...circles(found.M, scaled).map(([c, s]) => c - s));
        line.append(svg("line", { x1: x(left), x2: x(left), y1: 4, y2: 210, class: "end" }));
        for (const v of found.values) line.append(svg("line", { x1: x(v), x2: x(v), y1: 102, y2: 118, class: "value" }));
        part("left").textContent = shown(left);
      }
      const row = { A: found.A, B: found.B, C: found.C, Q: found.Q, kappa: found.kappa };
      for (const [name, value] of Object.entries(row)) { part(name).textContent = value === undefined ? "" : shown(value); part(name).dataset.value = value; }
      part("shown").textContent = alpha().toPrecision(2);
      const step = labeled.size < N ? next(labeled, alpha()) : null;
      part("next").disabled = !step;
      part("said").textContent = !step ? "All samples have labels." : step.tied.length > 1
        ? `${step.tied.length} samples share the least Q (${[...step.tied].sort((a, b) => a - b).join(", ")}); the tie rule takes ${step.pick}.`
        : `Sample ${step.pick} gives the least Q.`;
    }

    part("next").addEventListener("click", () => { labeled.add(next(labeled, alpha()).pick); draw(); });
    part("reset").addEventListener("click", () => { labeled.clear(); draw(); });
    part("scaled").addEventListener("change", draw);
    part("alpha").addEventListener("input", draw);
    root.hidden = false;
    draw();
  }

  const begin = () => document.querySelectorAll(".circles").forEach(start);
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", begin) : begin();
})();
