import { type AlertFacts, adviceKey, type Language, type NotifiedKind, type Values, wordsIn } from '@hypocaust/domain'
import { type Letter, letterOf } from '../notify/mail/letters.ts'
import type { Message } from '../notify/message.ts'

export type Turn = 'began' | 'ended'

export function messageOf(language: Language, alert: AlertFacts, turn: Turn, timeZone: string): Message {
  const say = wordsIn(language)
  const values = valuesOf(language, alert, timeZone)
  const path = alert.room_id === null ? `/buildings/${alert.building_id}` : `/rooms/${alert.room_id}`
  return turn === 'began'
    ? { title: say(`alert.${alert.kind}`, values), body: adviceOf(language, alert, values), path }
    : { title: say(`over.${alert.kind as NotifiedKind}`, values), body: say('mail.over'), path }
}

/** What to do, and the probable cause where one is known. */
function adviceOf(language: Language, alert: AlertFacts, values: Values): string {
  const say = wordsIn(language)
  const advice = say(adviceKey(alert), values)
  if (!alert.diagnosis) return advice
  const { cause, probability } = alert.diagnosis
  const percent = say('mail.percent', { n: Math.round(100 * probability) })
  return `${advice} ${say('diagnosis.probably', { percent, cause: say(`cause.${cause}`) })}`
}

export function testMessage(language: Language): Message {
  const say = wordsIn(language)
  return { title: say('mail.test'), body: say('mail.test_text'), path: '/alerts' }
}

export function letterFrom(
  language: Language,
  { title, body, path }: Message,
  publicUrl: string,
  building?: string,
): Letter {
  const say = wordsIn(language)
  return letterOf(language, {
    subject: title,
    paragraphs: [`${title}.`, body, ...(building === undefined ? [] : [say('mail.place', { building })])],
    link: { label: say('mail.look'), url: `${publicUrl}${path}` },
    footer: say('mail.footer', { url: `${publicUrl}/settings/notifications` }),
  })
}

function valuesOf(language: Language, alert: AlertFacts, timeZone: string): Values {
  const say = wordsIn(language)
  const moment: Intl.DateTimeFormatOptions = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const at = (stamp: string | null) =>
    stamp === null ? '–' : new Intl.DateTimeFormat(language, { ...moment, timeZone }).format(Date.parse(stamp))
  const number = (digits: number) =>
    alert.value === null
      ? '–'
      : new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
          .format(alert.value)
          .replace(/^-/, '−')
  return {
    building: alert.building,
    room: alert.room ?? '',
    rooms: new Intl.ListFormat(language).format(alert.rooms ?? []),
    time: at(alert.since),
    from: at(alert.airing?.from ?? null),
    minutes: alert.airing?.minutes ?? '–',
    hours: alert.value === null ? '–' : Math.round(alert.value),
    percent: say('mail.percent', { n: number(0) }),
    degrees: number(1),
    difference: number(1),
  }
}
