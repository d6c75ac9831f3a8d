import { HALF_DEGREE_K } from '@hypocaust/control'
import { type BuildingEnergy, type Language, wordsIn } from '@hypocaust/domain'
import { type Letter, letterOf } from '../notify/mail/letters.ts'

/** What a mail about a month says. */
export interface MonthlyReport {
  building: { id: string; name: string }
  /** As 2026-01. */
  month: string
  energy: BuildingEnergy & { heat: number }
  /** kWh of the month before; null where it was not counted as a whole. */
  before: number | null
  /** What half a degree less would have saved in a room; null where that is not known. */
  saving: { room: string; targetC: number; percent: number; plus_minus: number } | null
}

export function monthlyLetter(language: Language, report: MonthlyReport, publicUrl: string): Letter {
  const say = wordsIn(language)
  const { building, energy, before, saving } = report
  const { format: monthOf } = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const month = monthOf(Date.parse(`${report.month}-01`))
  const whole = (value: number) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value)
  const money = (value: number) =>
    new Intl.NumberFormat(language, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      ...(energy.currency && { style: 'currency', currency: energy.currency }),
    }).format(value)
  const short = (value: number) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
  const degrees = (celsius: number) => `${short(celsius)}\u00a0°C`
  const exactly = (value: number) => say('mail.percent', { n: short(value) })
  const percent = (share: number) => say('mail.percent', { n: whole(100 * share) })
  const change = before === null || before <= 0 ? null : energy.heat / before - 1
  const changed = (share: number) => {
    if (Math.round(100 * share) === 0) return say('month.same')
    return say(share < 0 ? 'month.less' : 'month.more', { percent: percent(Math.abs(share)) })
  }
  const [first, ...others] = energy.rooms
    .flatMap(({ name, share }) => (share === null ? [] : [{ name, share }]))
    .toSorted((a, b) => b.share - a.share)
  const sentences = [
    say('month.heat', {
      building: building.name,
      month,
      kwh: whole(energy.heat),
      low: whole(energy.heat_low ?? 0),
      high: whole(energy.heat_high ?? 0),
    }),
    ...(change === null ? [] : [changed(change)]),
    ...(energy.cost === null ? [] : [say('month.cost', { cost: money(energy.cost) })]),
  ]
  const rooms = [
    ...(first && others.length > 0 ? [say('month.most', { room: first.name, percent: percent(first.share) })] : []),
    ...(others.length > 0
      ? [say('month.also', { rooms: others.map(({ name, share }) => `${name} ${percent(share)}`).join(', ') })]
      : []),
  ]
  return letterOf(language, {
    subject: say('month.subject', { building: building.name, month }),
    paragraphs: [
      sentences.join(' '),
      ...(rooms.length > 0 ? [rooms.join(' ')] : []),
      ...(saving && saving.percent > saving.plus_minus
        ? [
            say('month.saving', {
              room: saving.room,
              lower: degrees(saving.targetC - HALF_DEGREE_K),
              target: degrees(saving.targetC),
              percent: exactly(saving.percent),
              error: exactly(saving.plus_minus),
            }),
          ]
        : []),
      say(energy.metered_days > 0 ? 'month.metered' : 'month.unmetered'),
      say('month.no_bill'),
    ],
    link: { label: say('month.link'), url: `${publicUrl}/buildings/${building.id}/energy` },
    footer: say('month.footer', { url: `${publicUrl}/settings/notifications` }),
  })
}
