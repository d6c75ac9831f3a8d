import type { Alert } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNow } from '../api/now.ts'
import { alertsQuery, buildingsQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Empty, PageTitle, Problem, Skeleton } from '../ui/basics.tsx'
import { useProblemText } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'

export default function AlertsPage() {
  const { t } = useWords()
  const { data, error } = useQuery(alertsQuery)
  const problem = useProblemText()
  return (
    <div className="max-w-3xl space-y-3">
      <PageTitle>{t('nav.alerts')}</PageTitle>
      {error && !data && <Problem>{problem(error)}</Problem>}
      {!data && !error && <Skeleton className="h-20" />}
      {data?.length === 0 && <Empty icon="check" title={t('alerts.none')} />}
      <ul className="space-y-3">
        {data?.map((alert) => (
          <li key={`${alert.kind} ${alert.building_id} ${alert.room_id}`}>
            <AlertLine alert={alert} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function AlertLine({ alert }: { alert: Alert }) {
  const { t, format } = useWords()
  const now = useNow()
  const buildings = useQuery(buildingsQuery).data
  const timezone = buildings?.find(({ id }) => id === alert.building_id)?.timezone
  const values = {
    room: alert.room ?? '',
    building: alert.building,
    time: alert.since === null ? '' : format.since(Date.parse(alert.since), now, timezone),
    percent: alert.value === null ? '' : format.percent(alert.value / 100),
    degrees: alert.value === null ? '' : format.degrees(alert.value),
  }
  const target =
    alert.room_id === null
      ? ({ to: '/buildings/$buildingId', params: { buildingId: alert.building_id } } as const)
      : ({ to: '/rooms/$roomId', params: { roomId: alert.room_id } } as const)
  return (
    <Link {...target} className="card flex items-start gap-3 p-4 hover:bg-sunken">
      <Icon name="warning" className="text-alert" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{t(`alert.${alert.kind}`, values)}</span>
        <span className="block text-sm text-soft">{t(`alert.${alert.kind}_do`, values)}</span>
      </span>
      <Icon name="next" className="text-faint" />
    </Link>
  )
}
