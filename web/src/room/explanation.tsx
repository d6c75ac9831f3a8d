import type { AppRoom, RoomExplanation } from '@hypocaust/domain'
import type { Steering } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/now.ts'
import { explanationQuery, outlookQuery } from '../api/queries.ts'
import type { Formats } from '../i18n/formats.ts'
import { type Translate, useWords } from '../i18n/index.tsx'
import { AsOf } from '../ui/as-of.tsx'
import { Skeleton, Summary } from '../ui/basics.tsx'
import { outlookInWords } from './outlook-words.ts'
import { priceInWords } from './price-words.ts'
import { modeOf } from './words.ts'

/** Where the room is, where it goes and by when, in words of an owner; the reasons of the control behind "In detail". */
export function Explanation({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const { data, isPending } = useQuery(explanationQuery(room.id))
  const outlook = useQuery(outlookQuery(room.id)).data
  const isOvertaken = data && !isFor(room, data)
  return (
    <section aria-labelledby="why" className="card space-y-2 p-4">
      <h2 id="why" className="font-semibold">
        {t(room.only_watch ? 'why.only_watch' : room.power > 0 ? 'why.heating' : 'why.resting')}
      </h2>
      {outlook ? (
        <p>{outlookInWords(outlook, room, { t, format, now, timeZone }).join(' ')}</p>
      ) : (
        <Skeleton className="h-12" />
      )}
      {isPending && <Skeleton className="h-11" />}
      {data === null && <p className="text-soft">{t('why.nothing')}</p>}
      {data?.price && !isOvertaken && <p>{priceInWords(data.price, { t, format, now, timeZone })}</p>}
      {isOvertaken && <p className="text-soft">{t('why.overtaken')}</p>}
      {data && !isOvertaken && (
        <>
          <AsOf path={`/rooms/${room.id}/explanation`} />
          <details className="group">
            <Summary>{t('why.more')}</Summary>
            <ul className="list-disc space-y-1 pl-5 text-sm text-soft">
              {[sentence(data, t, format, timeZone), ...details(data, t, format, timeZone)].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  )
}

const MODES_FOR: Record<Steering['kind'], RoomExplanation['mode'][]> = {
  automatic: ['heat'],
  manual: ['manual'],
  off: ['off', 'frost'],
}

/** Whether a decision was made for what the holder wants now; after a change the next one takes a moment. */
function isFor(room: AppRoom, { mode }: RoomExplanation): boolean {
  return MODES_FOR[modeOf(room)].includes(mode)
}

const SOON_MS = 900_000

export function sentence(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string {
  const { mode, measured, without_heat: without, estimate, aim } = facts
  const power = format.percent(facts.power)
  const share = format.percent(facts.share)
  const held = facts.caps.includes('floor-limit') ? ` ${t('why.held_back')}` : ''
  const resting = facts.share > 0 ? t('why.doing_pause', { power: share }) : t('why.doing_rest')
  const doing = facts.power > 0 ? t('why.doing_heat', { power }) : resting
  if (mode === 'off') return t('why.off')
  if (mode === 'frost') return t('why.frost', { degrees: format.degrees(measured?.temperature ?? 0) })
  if (mode === 'manual') return t('why.manual', { power }) + held
  if (facts.caps.includes('watched')) return t('why.watched', { power, share })
  if (facts.caps.includes('watched-unseen')) return t('why.watched_unseen', { share })
  if (facts.rung === 'learned-power') return t('why.learned', { power: share })
  if (without) {
    const at = Date.parse(without.at)
    const aheadMs = at - Date.parse(facts.decided_at)
    const when = aheadMs < SOON_MS ? t('why.now') : t('why.at', { time: format.clock(at, timeZone) })
    const short = t('why.short', {
      kelvin: format.kelvin(without.low - without.temperature),
      when,
      duration: format.duration(without.floor_needs_s),
    })
    if (facts.share === 0 && aheadMs > without.floor_needs_s * 1000) return `${t('why.can_wait')} ${short}`
    return `${short} ${doing}${held}`
  }
  if (!estimate) return `${t('why.no_reading')} ${doing}`
  if (estimate.temperature > aim.high) {
    return `${t('why.above', { kelvin: format.kelvin(estimate.temperature - aim.high) })} ${doing}`
  }
  return `${t('why.in_band', { low: format.degrees(aim.low), high: format.degrees(aim.high) })} ${doing}`
}

export function details(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string[] {
  const { measured, estimate, outdoor, aim, notices, caps } = facts
  return [
    t('why.decided', { time: format.clock(Date.parse(facts.decided_at), timeZone) }),
    measured
      ? t('why.measured', { degrees: format.degrees(measured.temperature), age: format.duration(measured.age_s) })
      : t('why.not_measured'),
    ...(estimate
      ? [
          t(estimate.floor_measured ? 'why.floor_measured' : 'why.floor_estimated', {
            degrees: format.degrees(estimate.floor),
          }),
        ]
      : []),
    ...(outdoor === null ? [] : [t('why.outdoor', { degrees: format.degrees(outdoor) })]),
    t(`why.aim_${aim.reason}`, { degrees: format.degrees(aim.target) }),
    t(`why.rung_${facts.rung}`),
    t('why.confidence', { percent: format.percent(facts.confidence) }),
    ...notices.map((notice) => t(`why.notice_${notice}`)),
    ...caps.map((cap) => t(`why.cap_${cap}`)),
  ]
}
