import type { AppAlert, PastAlert } from '@hypocaust/domain'
import { urgentByBuilding } from '@hypocaust/domain/alert-kinds'
import { DAY_MS } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { standingOf } from '../alerts/standing.ts'
import { alertInWords } from '../alerts/words.ts'
import { api } from '../api/http.ts'
import { serviceNow, useNow } from '../api/now.ts'
import { alertsQuery, buildingsKey, overviewQuery, pastAlertsQuery, queryClient } from '../api/queries.ts'
import { useCommonZone } from '../api/zone.ts'
import { inNeedInWords } from '../buildings/in-need.ts'
import { useWords } from '../i18n/index.tsx'
import type { Destination } from '../routing/address.ts'
import { Link } from '../routing/link.tsx'
import { AsOf } from '../ui/as-of.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Column, Columns, Empty, PageTitle, Problem, Section, Skeleton, Summary } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'

export default function AlertsPage() {
  const { t } = useWords()
  const alerts = useQuery(alertsQuery)
  const { data } = alerts
  const zone = useCommonZone()
  const { urgent, reminders, snoozed } = standingOf(data ?? [])
  return (
    <div className="space-y-4">
      <PageTitle>{t('nav.alerts')}</PageTitle>
      <AsOf path="/alerts" timeZone={zone} />
      {data && <InNeed alerts={data} />}
      <Columns>
        <Column>
          <Awaited of={[alerts]}>
            <Skeleton className="h-20" />
          </Awaited>
          {data && urgent.length + reminders.length === 0 && <Empty icon="check" title={t('alerts.none')} />}
          <ul className="space-y-3">
            {[...urgent, ...reminders].map((alert) => (
              <li key={keyOf(alert)}>
                <AlertCard alert={alert} isUrgent={urgent.includes(alert)} />
              </li>
            ))}
          </ul>
          {snoozed.length > 0 && (
            <details className="group">
              <Summary>{t('alerts.snoozed', { n: snoozed.length })}</Summary>
              <ul className="space-y-3">
                {snoozed.map((alert) => (
                  <li key={keyOf(alert)}>
                    <AlertCard alert={alert} isUrgent={false} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </Column>
        <Past />
      </Columns>
    </div>
  )
}

/** In the words of the first page, where there are several buildings. */
function InNeed({ alerts }: { alerts: AppAlert[] }) {
  const { t } = useWords()
  const buildings = useQuery(overviewQuery).data ?? []
  return buildings.length > 1 && <p className="text-lg">{inNeedInWords(urgentByBuilding(alerts).size, buildings, t)}</p>
}

const keyOf = ({ kind, building_id, room_id }: AppAlert) => `${kind} ${building_id} ${room_id}`

function useTimezoneOf(buildingId: string): string | undefined {
  return useQuery(overviewQuery).data?.find(({ id }) => id === buildingId)?.timezone
}

function AlertCard({ alert, isUrgent }: { alert: AppAlert; isUrgent: boolean }) {
  const { t, format } = useWords()
  const now = useNow()
  const timezone = useTimezoneOf(alert.building_id)
  const { text, advice } = alertInWords(alert, { t, format, now, timezone })
  const target: Destination =
    alert.room_id === null
      ? { to: '/buildings/$buildingId', params: { buildingId: alert.building_id } }
      : { to: '/rooms/$roomId', params: { roomId: alert.room_id } }
  return (
    <article className={`card relative flex items-start gap-3 p-4 ${isUrgent ? '' : 'bg-transparent'}`}>
      <Icon
        name={alert.kind === 'battery_low' ? 'battery' : 'warning'}
        className={isUrgent ? 'text-alert' : 'text-faint'}
      />
      <div className="min-w-0 flex-1">
        <Link {...target} className="font-medium after:absolute after:inset-0 after:rounded-[var(--radius)]">
          {text}
        </Link>
        <p className="text-sm">{advice}</p>
        {alert.began_at !== null && (
          <p className="text-sm text-soft">
            {t('alerts.since', { time: format.since(Date.parse(alert.began_at), now, timezone) })}
          </p>
        )}
        <SnoozeButtons alert={alert} timezone={timezone} />
      </div>
      <Icon name="next" className="text-faint" />
    </article>
  )
}

const SNOOZES = [
  { key: 'alerts.snooze_day', ms: DAY_MS },
  { key: 'alerts.snooze_week', ms: 7 * DAY_MS },
] as const

/** Out of the count for a while; it stays on the page, and ends by itself. */
function SnoozeButtons({ alert, timezone }: { alert: AppAlert; timezone: string | undefined }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run } = useDeed()
  if (alert.id === null) return null
  const snooze = (until: string | null) =>
    run(async () => {
      await api('PUT', `/alerts/${alert.id}/snooze`, { until })
      await Promise.all(
        [alertsQuery.queryKey, buildingsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    })
  return (
    <div className="relative z-[1] mt-1 flex flex-wrap items-center gap-2">
      {alert.snoozed_until === null ? (
        <>
          <span className="w-full text-sm text-soft sm:w-auto">{t('alerts.remind')}</span>
          {SNOOZES.map(({ key, ms }) => (
            <Button
              key={key}
              className="px-3 text-sm"
              disabled={isBusy}
              onClick={() => snooze(new Date(serviceNow() + ms).toISOString())}
            >
              {t(key)}
            </Button>
          ))}
        </>
      ) : (
        <>
          <span className="text-sm text-soft">
            {t('alerts.snoozed_until', { time: format.since(Date.parse(alert.snoozed_until), now, timezone) })}
          </span>
          <Button look="quiet" className="px-2 text-sm" disabled={isBusy} onClick={() => snooze(null)}>
            {t('alerts.wake')}
          </Button>
        </>
      )}
      {problem && <Problem>{problem}</Problem>}
    </div>
  )
}

function Past() {
  const { t } = useWords()
  const query = useQuery(pastAlertsQuery)
  const past = query.data
  return (
    <Section title={t('alerts.past')}>
      <Awaited of={[query]} />
      {past?.length === 0 && <p className="text-soft">{t('alerts.past_none')}</p>}
      <ul className="divide-y divide-line">
        {past?.map((alert) => (
          <PastLine key={alert.id} alert={alert} />
        ))}
      </ul>
    </Section>
  )
}

function PastLine({ alert }: { alert: PastAlert }) {
  const { t, format } = useWords()
  const now = useNow()
  const timezone = useTimezoneOf(alert.building_id)
  const time = (at: string) => format.since(Date.parse(at), now, timezone)
  return (
    <li className="py-2">
      <p>{alertInWords(alert, { t, format, now, timezone }).text}</p>
      <p className="text-sm text-soft">{t('alerts.span', { from: time(alert.began_at), to: time(alert.ended) })}</p>
    </li>
  )
}
