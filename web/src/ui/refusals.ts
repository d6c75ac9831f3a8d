import type { Key } from '../i18n/catalogue.ts'

/**
 * Refusals that a person can meet, by what the service says to programs. Its words are English and name fields, so they
 * are never shown themselves.
 */
export const REFUSALS: [said: RegExp, key: Key][] = [
  [/has reported its channels yet/, 'refused.no_channels'],
  [/has a reading yet/, 'refused.no_readings'],
  [/ is colder than .* warm it up first/, 'refused.too_cold'],
  [/ is only watched: another thermostat heats it/, 'refused.only_watched'],
  [/cannot leave a valve to another thermostat/, 'refused.old_gateway'],
  [/no programme that changes its setpoint/, 'refused.no_next_step'],
  [/no such time zone/, 'refused.time_zone'],
  [/must be letters, digits and dashes/, 'refused.area'],
  [/must be in the future/, 'invalid.time'],
  [/must be at most a year ahead/, 'refused.a_year'],
  [/until must be later than from/, 'refused.from_until'],
  [/a guest needs at least one room/, 'refused.guest_rooms'],
  [/needs an end/, 'refused.role_end'],
  [/a limited key needs at least one building/, 'refused.key_buildings'],
  [/url must be an https address/, 'refused.webhook_url'],
  [/A test of the loops is running/, 'refused.loops_run'],
  [/the limits of the heat source/, 'refused.screed_limits'],
  [/the programme is longer than/, 'refused.screed_length'],
]

/** The lines of a house file that are wrong are quoted: they are of the person's own file. */
const OF_A_FILE = /^\d+: /m

export function refusalOf(message: string): { key: Key; detail?: string } {
  const known = REFUSALS.find(([said]) => said.test(message))
  if (known) return { key: known[1] }
  return OF_A_FILE.test(message) ? { key: 'problem.file', detail: message } : { key: 'problem.invalid' }
}
