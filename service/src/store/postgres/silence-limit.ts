/** How long a server may take to accept a connection or to answer what takes it no time. Then it is silent. */
export const SILENCE_LIMIT_MS = 2500
