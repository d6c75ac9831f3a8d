import { ALERT_WORDS, type AlertFacts, adviceKey, type Language, type NotifiedKind } from '@hypocaust/domain'
import { type Letter, letterOf } from '../notify/mail/letters.ts'
import type { Message } from '../notify/message.ts'

export type Turn = 'began' | 'ended'

const OVER: Record<Language, Record<NotifiedKind, string>> = {
  en: {
    building_silent: '{building} reports again',
    sensor_silent: '{room}: the sensor reports again',
    battery_low: '{room}: the sensor’s battery is good again',
    target_unreachable: '{room}: is warm enough again',
    valve_without_effect: '{room}: heat arrives again',
    model_broken: '{room}: has been learned again',
    valve_silent: 'The valve of {room} answers again',
    valve_stays_on: 'The valve of {room} follows its commands again',
    floor_probe_silent: '{room}: the floor probe reports again',
    auto_off_unproven: '{room}: the electric mat may heat',
    heat_source_failed: '{building}: heat arrives again',
    supply_too_cold: '{building}: the heating water is warm enough again',
    loop_low_flow: '{room}: the loop gives enough heat again',
    sensors_swapped: '{building}: {rooms} are in order again',
    mould_risk: '{room}: the coldest wall is dry again',
    gateway_not_following: '{building}: all gateways follow their commands again',
    two_agents: '{building}: each gateway runs once again',
  },
  de: {
    building_silent: '{building} meldet sich wieder',
    sensor_silent: '{room}: Der Sensor meldet sich wieder',
    battery_low: '{room}: Die Batterie des Sensors ist wieder gut',
    target_unreachable: '{room}: Wieder warm genug',
    valve_without_effect: '{room}: Die Wärme kommt wieder an',
    model_broken: '{room}: Wieder gelernt',
    valve_silent: 'Das Ventil von {room} antwortet wieder',
    valve_stays_on: 'Das Ventil von {room} schaltet wieder',
    floor_probe_silent: '{room}: Der Bodenfühler meldet sich wieder',
    auto_off_unproven: '{room}: Die Heizmatte darf heizen',
    heat_source_failed: '{building}: Die Wärme kommt wieder an',
    supply_too_cold: '{building}: Das Heizwasser ist wieder warm genug',
    loop_low_flow: '{room}: Der Heizkreis gibt wieder genug Wärme',
    sensors_swapped: '{building}: {rooms} sind wieder in Ordnung',
    mould_risk: '{room}: Die kälteste Wand ist wieder trocken',
    gateway_not_following: '{building}: Alle Gateways führen Befehle wieder aus',
    two_agents: '{building}: Jedes Gateway läuft wieder nur einmal',
  },
}

const FRAME = {
  en: {
    over: 'No action is needed.',
    place: (building: string) => `Building: ${building}`,
    look: 'View details',
    footer: (url: string) => `You receive this mail because alerts by mail are turned on. Change this at ${url}`,
    test: { title: 'Test notification from Hypocaust', body: 'This is how you will receive alerts.' },
  },
  de: {
    over: 'Es ist nichts zu tun.',
    place: (building: string) => `Gebäude: ${building}`,
    look: 'Details ansehen',
    footer: (url: string) =>
      `Du bekommst diese E-Mail, weil Hinweise per E-Mail eingeschaltet sind. Ändern kannst du das unter ${url}`,
    test: { title: 'Testnachricht von Hypocaust', body: 'So bekommst du Hinweise.' },
  },
}

export function messageOf(language: Language, alert: AlertFacts, turn: Turn, timeZone: string): Message {
  const words = ALERT_WORDS[language]
  const fill = filler(language, alert, timeZone)
  const path = alert.room_id === null ? `/buildings/${alert.building_id}` : `/rooms/${alert.room_id}`
  return turn === 'began'
    ? { title: fill(words[`alert.${alert.kind}`]), body: fill(words[adviceKey(alert)]), path }
    : { title: fill(OVER[language][alert.kind as NotifiedKind]), body: FRAME[language].over, path }
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

function filler(language: Language, alert: AlertFacts, timeZone: string): (sentence: string) => string {
  const moment: Intl.DateTimeFormatOptions = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const at = (stamp: string | null) =>
    stamp === null ? '–' : new Intl.DateTimeFormat(language, { ...moment, timeZone }).format(Date.parse(stamp))
  const number = (digits: number) =>
    alert.value === null
      ? '–'
      : new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
          .format(alert.value)
          .replace(/^-/, '−')
  const values: Record<string, string> = {
    building: alert.building,
    room: alert.room ?? '',
    rooms: new Intl.ListFormat(language).format(alert.rooms ?? []),
    time: at(alert.since),
    from: at(alert.airing?.from ?? null),
    minutes: String(alert.airing?.minutes ?? '–'),
    hours: number(0),
    percent: `${number(0)}\u00a0%`,
    degrees: number(1),
    difference: number(1),
  }
  return (sentence) => sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
}
