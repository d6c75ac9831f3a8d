import { serviceAddress } from '../api/base.ts'

/** A first request to try a key with. */
export const curlLine = (key: string): string => `curl -H 'x-api-key: ${key}' ${serviceAddress()}/v1/buildings`
