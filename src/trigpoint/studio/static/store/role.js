// What the visitor's link allows. The server refuses the rest; the page does not offer it.
export const roleOf = (p) => p.setup?.role ?? "owner";
export const isOwner = (p) => roleOf(p) === "owner";
export const isViewer = (p) => roleOf(p) === "viewer";
export const seesTeam = (p) => roleOf(p) !== "annotator";

export const LOOKING = "You are looking on: your link changes nothing.";
