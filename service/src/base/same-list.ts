/** The same members in the same order. */
export const isSameList = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((member, i) => member === others[i])
