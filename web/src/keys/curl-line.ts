/** A first request to try a key with. */
export const curlLine = (key: string): string => `curl -H 'x-api-key: ${key}' ${location.origin}/v1/buildings`
