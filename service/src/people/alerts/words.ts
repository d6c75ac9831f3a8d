import { ALERT_WORDS, type Alert, type Language, type ToldKind } from '@hypocaust/domain'
import { type Letter, letterOf } from '../notify/mail/letters.ts'
import type { Message } from '../notify/message.ts'

export type Turn = 'began' | 'ended'

const OVER: Record<Language, Record<ToldKind, string>> = {
  en: {
    building_silent: '{building} is heard again',
    sensor_silent: '{room}: the sensor is heard again',
    battery_low: '{room}: the sensor has a good battery again',
    target_unreachable: '{room}: is warm enough again',
    valve_without_effect: '{room}: heat arrives again',
    valve_silent: 'The valve of {room} answers again',
    valve_stays_on: 'The valve of {room} follows its commands again',
    heat_source_failed: '{building}: heat arrives again',
    gateway_not_following: '{building}: all gateways carry out what they are told again',
  },
  de: {
    building_silent: '{building} ist wieder zu hören',
    sensor_silent: '{room}: der Sensor ist wieder zu hören',
    battery_low: '{room}: der Sensor hat wieder eine gute Batterie',
    target_unreachable: '{room}: ist wieder warm genug',
    valve_without_effect: '{room}: die Wärme kommt wieder an',
    valve_silent: 'Das Ventil von {room} antwortet wieder',
    valve_stays_on: 'Das Ventil von {room} schaltet wieder',
    heat_source_failed: '{building}: die Wärme kommt wieder an',
    gateway_not_following: '{building}: alle Gateways führen wieder aus, was ihnen gesagt wird',
  },
}

const FRAME = {
  en: {
    over: 'There is nothing to do.',
    place: (building: string) => `Building: ${building}`,
    look: 'Have a look',
    footer: (url: string) => `You get this because alerts by mail are switched on. Change it at ${url}`,
    test: { title: 'A test from Hypocaust', body: 'This is how alerts will reach you.' },
  },
  de: {
    over: 'Es ist nichts zu tun.',
    place: (building: string) => `Gebäude: ${building}`,
    look: 'Nachsehen',
    footer: (url: string) => `Du bekommst dies, weil Hinweise per E-Mail eingeschaltet sind. Ändere es unter ${url}`,
    test: { title: 'Ein Test von Hypocaust', body: 'So werden dich Hinweise erreichen.' },
  },
}

export function messageOf(language: Language, alert: Alert, turn: Turn, timeZone: string): Message {
  const words = ALERT_WORDS[language]
  const fill = filler(language, alert, timeZone)
  const path = alert.room_id === null ? `/buildings/${alert.building_id}` : `/rooms/${alert.room_id}`
  return turn === 'began'
    ? { title: fill(words[`alert.${alert.kind}`]), body: fill(words[`alert.${alert.kind}_do`]), path }
    : { title: fill(OVER[language][alert.kind as ToldKind]), body: FRAME[language].over, path }
}

export const testMessage = (language: Language): Message => ({ ...FRAME[language].test, path: '/alerts' })

export function letterFrom(
  language: Language,
  { title, body, path }: Message,
  publicUrl: string,
  building?: string,
): Letter {
  const { look, footer, place } = FRAME[language]
  return letterOf(language, {
    subject: title,
    paragraphs: [`${title}.`, body, ...(building === undefined ? [] : [place(building)])],
    link: { label: look, url: `${publicUrl}${path}` },
    footer: footer(`${publicUrl}/settings/notifications`),
  })
}

function filler(language: Language, alert: Alert, timeZone: string): (sentence: string) => string {
  const moment: Intl.DateTimeFormatOptions = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const number = (digits: number) =>
    alert.value === null
      ? '–'
      : new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
          .format(alert.value)
          .replace(/^-/, '−')
  const values: Record<string, string> = {
    building: alert.building,
    room: alert.room ?? '',
    time:
      alert.since === null
        ? '–'
        : new Intl.DateTimeFormat(language, { ...moment, timeZone }).format(Date.parse(alert.since)),
    percent: `${number(0)}\u00a0%`,
    degrees: number(1),
  }
  return (sentence) => sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
}
