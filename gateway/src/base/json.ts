export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return undefined
  }
}

export function parseObject(payload: Uint8Array): JsonObject | undefined {
  const value = parseJson(payload)
  return isObject(value) ? value : undefined
}

export const textOf = (payload: Uint8Array): string => new TextDecoder().decode(payload).trim()
