/** Where the heating control begins to protect pipes, in Celsius. */
export const FROST_C = 5
