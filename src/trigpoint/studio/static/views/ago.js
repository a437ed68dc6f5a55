/** 1700000000 -> "3 min ago"; times are of the server's clock, which may differ a little from ours. */
export function ago(seconds, now = Date.now() / 1000) {
  const s = Math.max(0, now - seconds);
  if (s < 45) return "just now";
  if (s < 3600) return `${Math.max(1, Math.round(s / 60))} min ago`;
  if (s < 86400) return `${Math.round(s / 3600)} h ago`;
  return `on ${new Date(1000 * seconds).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" })}`;
}
