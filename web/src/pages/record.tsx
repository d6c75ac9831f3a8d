import { mayDo } from '@hypocaust/domain/facts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useBuilding } from '../api/buildings.ts'
import { useNow } from '../api/now.ts'
import { contactsQuery, explanationQuery, gatewaysQuery, loopsQuery, sessionQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { CheckList } from '../record/check-list.tsx'
import { type Installed, missingOf } from '../record/checks.ts'
import { useDated } from '../record/dated.ts'
import { BatteryRecord, GatewayRecord, LoopRecord, RoomRecord } from '../record/sections.tsx'
import { useParam } from '../routing/route.ts'
import { LoopDetailsButton } from '../setup/loop-details.tsx'
import { useLoopName } from '../setup/loop-name.ts'
import { PageSkeleton } from '../ui/awaited.tsx'
import { Button, ButtonLink, PageTitle } from '../ui/basics.tsx'
import { saveJson } from '../ui/save-json.ts'
import { NotFoundPage } from './not-found.tsx'

/** How far a building is commissioned, and what is built into it; printed, the record that the owner gets. */
export default function RecordPage() {
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const gateways = useQuery(gatewaysQuery(buildingId)).data
  const contacts = useQuery(contactsQuery(buildingId)).data
  const loops = useQuery(loopsQuery(buildingId)).data?.loops
  if (building === null || (building && !mayDo(building.role, 'set_up'))) return <NotFoundPage />
  if (!building || !gateways || !contacts || !loops) return <PageSkeleton />
  return <BuildingRecord installed={{ building, gateways, contacts, loops }} />
}

function BuildingRecord({ installed }: { installed: Installed }) {
  const { t, format } = useWords()
  const { building, gateways } = installed
  const { id, name, location, timezone, rooms } = building
  const loopName = useLoopName(gateways)
  const dated = useDated()
  const now = useNow()
  const email = useQuery(sessionQuery).data?.account?.email ?? ''
  const explanations = useQueries({ queries: rooms.map((room) => explanationQuery(room.id)) })
  const accuracies = new Map(rooms.map((room, i) => [room.id, explanations[i]?.data]))
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId: id } }}>
        {t('record.title', { building: name })}
      </PageTitle>
      <p className="text-soft">
        {t('record.made', { time: dated(now, timezone), email })}{' '}
        {t('record.place', { lat: format.input(location.lat), lng: format.input(location.lng), timezone })}
      </p>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button icon="download" onClick={() => print()}>
          {t('record.print')}
        </Button>
        <Button
          icon="download"
          onClick={() => saveJson('commissioning.json', { made_at: new Date(now).toISOString(), ...installed })}
        >
          {t('record.json')}
        </Button>
        <ButtonLink icon="flame" to="/buildings/$buildingId/screed" params={{ buildingId: id }}>
          {t('screed.title')}
        </ButtonLink>
      </div>
      <CheckList missing={missingOf(installed, loopName)} />
      <GatewayRecord installed={installed} />
      <RoomRecord installed={installed} accuracies={accuracies} />
      <LoopRecord
        installed={installed}
        loopName={loopName}
        enter={(loop) => <LoopDetailsButton buildingId={id} loop={loop} name={loopName(loop)} />}
      />
      <BatteryRecord installed={installed} />
      <div className="hidden gap-8 pt-12 print:grid print:grid-cols-2">
        <p className="border-t border-edge pt-1 text-sm">{t('record.signed_installer')}</p>
        <p className="border-t border-edge pt-1 text-sm">{t('record.signed_owner')}</p>
      </div>
    </div>
  )
}
