import { HALF_DEGREE_K } from '@hypocaust/control'
import type { BuildingEnergy, Language } from '@hypocaust/domain'
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

const WORDS = {
  en: {
    subject: (building: string, month: string) => `${building}: heat in ${month}`,
    heat: (building: string, month: string, kwh: string, low: string, high: string) =>
      `In ${month} the floors of ${building} took about ${kwh} kWh of heat (nine times out of ten the true value is between ${low} and ${high} kWh).`,
    less: (percent: string) => `That is ${percent} less than the month before.`,
    more: (percent: string) => `That is ${percent} more than the month before.`,
    same: 'That is about as much as the month before.',
    cost: (cost: string) => `At your tariff it cost about ${cost}.`,
    most: (room: string, percent: string) => `${room} took the most, ${percent} of it.`,
    also: (rooms: string) => `The other rooms: ${rooms}.`,
    metered: 'The figures are scaled by the heat meter.',
    unmetered:
      'Without a heat meter only ratios can be learned: the days of a room can be compared well, its kWh are rough.',
    saving: (room: string, lower: string, target: string, percent: string, error: string) =>
      `At ${lower} instead of ${target}, ${room} would have taken ${percent} less heat in the last four weeks (± ${error}).`,
    noBill: 'These are estimates. They show where heat goes, and are not suitable for billing.',
    link: 'Heat and cost of each room',
    footer: (url: string) => `You chose to receive mail. To stop this monthly mail, go to ${url}`,
  },
  de: {
    subject: (building: string, month: string) => `${building}: Wärme im ${month}`,
    heat: (building: string, month: string, kwh: string, low: string, high: string) =>
      `Im ${month} haben die Böden von ${building} etwa ${kwh} kWh Wärme aufgenommen (in neun von zehn Fällen liegt der wahre Wert zwischen ${low} und ${high} kWh).`,
    less: (percent: string) => `Das sind ${percent} weniger als im Monat davor.`,
    more: (percent: string) => `Das sind ${percent} mehr als im Monat davor.`,
    same: 'Das ist etwa so viel wie im Monat davor.',
    cost: (cost: string) => `Nach deinem Tarif hat das etwa ${cost} gekostet.`,
    most: (room: string, percent: string) => `Am meisten brauchte der Raum ${room}: ${percent} davon.`,
    also: (rooms: string) => `Die anderen Räume: ${rooms}.`,
    metered: 'Die Werte sind mit dem Wärmezähler abgeglichen.',
    unmetered:
      'Ohne Wärmezähler lassen sich nur Verhältnisse lernen: Die Tage eines Raums sind gut vergleichbar, seine kWh nur grob bekannt.',
    saving: (room: string, lower: string, target: string, percent: string, error: string) =>
      `Mit ${lower} statt ${target} hätte der Raum ${room} in den letzten vier Wochen ${percent} weniger Wärme gebraucht (± ${error}).`,
    noBill: 'Das sind Schätzungen. Sie zeigen, wohin die Wärme geht, und eignen sich nicht zur Abrechnung.',
    link: 'Wärme und Kosten je Raum',
    footer: (url: string) =>
      `Du bekommst E-Mails, weil du sie eingeschaltet hast. Diese monatliche E-Mail abbestellen: ${url}`,
  },
} satisfies Record<Language, unknown>

export function monthlyLetter(language: Language, report: MonthlyReport, publicUrl: string): Letter {
  const words = WORDS[language]
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
  const exactly = (value: number) => `${short(value)}\u00a0%`
  const percent = (share: number) => `${whole(100 * share)}\u00a0%`
  const change = before === null || before <= 0 ? null : energy.heat / before - 1
  const changed = (share: number) => {
    if (Math.round(100 * share) === 0) return words.same
    return share < 0 ? words.less(percent(-share)) : words.more(percent(share))
  }
  const [first, ...others] = energy.rooms
    .flatMap(({ name, share }) => (share === null ? [] : [{ name, share }]))
    .toSorted((a, b) => b.share - a.share)
  const sentences = [
    words.heat(building.name, month, whole(energy.heat), whole(energy.heat_low ?? 0), whole(energy.heat_high ?? 0)),
    ...(change === null ? [] : [changed(change)]),
    ...(energy.cost === null ? [] : [words.cost(money(energy.cost))]),
  ]
  const rooms = [
    ...(first && others.length > 0 ? [words.most(first.name, percent(first.share))] : []),
    ...(others.length > 0 ? [words.also(others.map(({ name, share }) => `${name} ${percent(share)}`).join(', '))] : []),
  ]
  return letterOf(language, {
    subject: words.subject(building.name, month),
    paragraphs: [
      sentences.join(' '),
      ...(rooms.length > 0 ? [rooms.join(' ')] : []),
      ...(saving && saving.percent > saving.plus_minus
        ? [
            words.saving(
              saving.room,
              degrees(saving.targetC - HALF_DEGREE_K),
              degrees(saving.targetC),
              exactly(saving.percent),
              exactly(saving.plus_minus),
            ),
          ]
        : []),
      energy.metered_days > 0 ? words.metered : words.unmetered,
      words.noBill,
    ],
    link: { label: words.link, url: `${publicUrl}/buildings/${building.id}/energy` },
    footer: words.footer(`${publicUrl}/settings/notifications`),
  })
}
