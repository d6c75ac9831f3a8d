import { NAME_MAX_LENGTH } from './facts/limits.ts'

/** They turn the direction of writing or cannot be seen: two names that look alike would differ. */
const INVISIBLE = '\\u061C\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF'
const INNER = `[^\\p{Cc}\\p{Cs}${INVISIBLE}]`
/** Joiners, which emoji and some scripts need, join something. */
const EDGE = `[^\\s\\p{Cc}\\p{Cs}${INVISIBLE}\\u200C\\u200D]`

/** A name begins with something to be seen: marks and fillers alone have no width. */
const FIRST = '[^\\s\\p{Cc}\\p{Cs}\\p{DI}]'

/** 1 to 100 characters after trimming, no control or invisible characters; half a surrogate pair cannot be stored. */
export const NAME_PATTERN = `^\\s*${FIRST}(?:${INNER}{0,${NAME_MAX_LENGTH - 2}}${EDGE})?\\s*$`

/** 2 to 16 pairs: a Bluetooth address has 6, a Zigbee one 8. */
export const SENSOR_ID_PATTERN = '^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){1,15}$'

export const TIMESTAMP_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'
/** As people and programs write it (RFC 3339): any offset, and the fraction of a second may be left out. */
export const MOMENT_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$'
export const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$'
export const CLOCK_PATTERN = '^(?:[01]\\d|2[0-3]):[0-5]\\d$'
/** Of an electricity market. It becomes a part of an address, so it has nothing that means anything there. */
export const AREA_PATTERN = '^[A-Za-z0-9][A-Za-z0-9-]{0,63}$'
export const ENTRY_KEY_PATTERN = '^[a-z0-9][a-z0-9-]{0,99}$'

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const WORDS: Record<string, string> = {
  [NAME_PATTERN]: `must be a text of 1 to ${NAME_MAX_LENGTH} characters without control or invisible characters`,
  [SENSOR_ID_PATTERN]: 'must be a text of colon-separated hexadecimal byte pairs, as a4:c1:38:5e:01:02',
  [TIMESTAMP_PATTERN]: 'must be a time as 2026-01-10T08:15:03.000Z',
  [MOMENT_PATTERN]: 'must be a time as 2026-01-10T08:15:03.000Z or 2026-01-10T09:15:03+01:00',
  [DATE_PATTERN]: 'must be a date as 2026-12-24',
  [CLOCK_PATTERN]: 'must be a time of day as "22:30"',
  [AREA_PATTERN]: 'must be letters, digits and dashes, at most 64',
  [ENTRY_KEY_PATTERN]: 'must be lower-case letters, digits and dashes',
}

/** A pattern in words: the expression itself tells a person nothing. */
export const inWords = (pattern: unknown): string | undefined => WORDS[String(pattern)]
