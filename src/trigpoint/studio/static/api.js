// Requests to the server: JSON in and out, errors as one sentence.

/** An answer that is not "ok"; status 0: no answer at all. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, {
      credentials: "same-origin",
      signal: AbortSignal.timeout(30000),
      ...options,
    });
  } catch {
    throw new ApiError(0, "The studio does not answer.");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new ApiError(response.status, sentence(response.status, body));
}

function sentence(status, body) {
  if (status === 401) return "The studio does not know this browser any more: open the link of the studio again.";
  return typeof body.error === "string" ? body.error : `The studio answered with an error (${status}).`;
}

export function path(route, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value != null && value !== "");
  return known.length ? `${route}?${new URLSearchParams(known)}` : route;
}

async function read(response) {
  try {
    return await response.json();
  } catch {
    throw new ApiError(0, "The studio's answer was cut off.");
  }
}

export const get = async (route, query) => read(await request(path(route, query)));

export const post = async (route, body) =>
  read(
    await request(route, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15000),
    }),
  );

/** A file as it is, for the import. */
export const send = async (route, query, file) =>
  read(
    await request(path(route, query), {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
      signal: AbortSignal.timeout(120000),
    }),
  );

/** Bytes with their headers. */
export async function bytes(route) {
  const response = await request(route, { signal: AbortSignal.timeout(120000) });
  const buffer = await response.arrayBuffer().catch(() => {
    throw new ApiError(0, "The studio's answer was cut off.");
  });
  return { headers: response.headers, buffer };
}

/** The same, or null where there are none yet. */
export async function bytesSoFar(route) {
  try {
    return await bytes(route);
  } catch (error) {
    if (error.status === 404 || error.status === 503) return null;
    throw error;
  }
}
