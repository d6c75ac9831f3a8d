export type MaybePromise<T> = T | Promise<T>

/** Goes on at once where the value is there already: a promise costs a turn of its own. */
export const after = <T, U>(value: MaybePromise<T>, next: (value: T) => U): MaybePromise<Awaited<U>> =>
  (value instanceof Promise ? value.then(next) : next(value)) as MaybePromise<Awaited<U>>
