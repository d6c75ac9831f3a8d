/** What stands before the paths of the site: empty, or what a proxy before the service takes off. */
export const BASE = (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '').replace(
  /\/$/,
  '',
)

/** Where programs find the service. */
export const serviceAddress = (): string => `${location.origin}${BASE}`
