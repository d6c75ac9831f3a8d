/** The types of a worker know several kinds of them by one name. */
export const worker = self as unknown as ServiceWorkerGlobalScope

/** The site ends where its scope does. */
export const { scope } = worker.registration
