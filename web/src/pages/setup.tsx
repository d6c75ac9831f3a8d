import type { AppBuilding, AppLoops, HeardSensor } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import {
  buildingsKey,
  contactsQuery,
  gatewaysQuery,
  loopsQuery,
  matterQuery,
  queryClient,
  sensorsQuery,
} from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { untested } from '../record/checks.ts'
import { unfinishedRooms } from '../room/unfinished.ts'
import { navigate } from '../routing/navigation.ts'
import { useParam } from '../routing/route.ts'
import { Care } from '../setup/care.tsx'
import { ContactsSetUp } from '../setup/contacts.tsx'
import { EnergySetUp } from '../setup/energy.tsx'
import { Gateways } from '../setup/gateways.tsx'
import { LoopsSetUp } from '../setup/loops.tsx'
import { Matter } from '../setup/matter.tsx'
import { Place } from '../setup/place.tsx'
import { RoomsSetUp } from '../setup/rooms.tsx'
import { TagsSetUp } from '../setup/tags.tsx'
import { WeatherFrom } from '../setup/weather.tsx'
import { Button, ButtonLink, Column, Columns, PageSkeleton, PageTitle } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { NotFoundPage } from './not-found.tsx'

const LOOK_FOR_SENSORS_MS = 3000

/** From nothing to a heated room: a gateway, the sensors it hears, the rooms they are in. */
export default function SetUpPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const gateways = useQuery({ ...gatewaysQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const sensors = useQuery({ ...sensorsQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const contacts = useQuery({ ...contactsQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const loops = useQuery({ ...loopsQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const matter = useQuery({ ...matterQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const [isRemoving, setRemoving] = useState(false)
  if (building === null) return <NotFoundPage />
  if (!building || !gateways || !sensors || !contacts || !loops || !matter) return <PageSkeleton />
  const isHeard = sensors.some(({ reading }) => reading !== null)
  const assigned = assignedOf(sensors)
  const steps = [
    { text: t('setup.step_gateway'), isDone: gateways.some(({ last_seen }) => last_seen !== null) },
    { text: t('setup.step_sensors'), isDone: isHeard },
    {
      text: t('setup.step_rooms', { assigned, all: sensors.length }),
      isDone: building.rooms.length > 0 && assigned === sensors.length,
    },
    { text: t('setup.step_loops'), isDone: building.rooms.length > 0 && unfinishedRooms(building).length === 0 },
    { text: t('setup.step_tested'), isDone: isTested(loops) },
  ]
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId } }}>
        {t('setup.title', { building: building.name })}
      </PageTitle>
      <Steps steps={steps} />
      <Columns>
        <Column>
          <Gateways building={building} gateways={gateways} />
          <RoomsSetUp building={building} gateways={gateways} sensors={sensors} />
          <LoopsSetUp building={building} gateways={gateways} loops={loops} />
          <ContactsSetUp building={building} contacts={contacts} />
        </Column>
        <Column>
          <Care building={building} />
          <EnergySetUp building={building} />
          <WeatherFrom building={building} />
          <Matter standing={matter} />
          <Place key={building.id} building={building} />
          <TagsSetUp building={building} />
        </Column>
      </Columns>
      <div className="flex flex-wrap justify-between gap-2">
        <ButtonLink to="/buildings/$buildingId" params={{ buildingId }} look="main">
          {t('setup.finish')}
        </ButtonLink>
        <ButtonLink to="/buildings/$buildingId/record" params={{ buildingId }}>
          {t('building.record')}
        </ButtonLink>
        {mayDo(building.role, 'remove') && (
          <Button look="danger" onClick={() => setRemoving(true)}>
            {t('setup.remove')}
          </Button>
        )}
      </div>
      {isRemoving && <RemoveDialog building={building} onClose={() => setRemoving(false)} />}
    </div>
  )
}

const assignedOf = (sensors: HeardSensor[]): number => sensors.filter(({ rooms }) => rooms.length > 0).length

/** Every loop of a room has been confirmed to warm it. */
function isTested({ loops }: AppLoops): boolean {
  return loops.some(({ room_id }) => room_id !== null) && untested(loops).length === 0
}

function Steps({ steps }: { steps: { text: string; isDone: boolean }[] }) {
  const { t } = useWords()
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <ol aria-label={t('setup.steps')} className="card space-y-2 p-4">
      {steps.map(({ text, isDone }, i) => (
        <li key={text} className="flex items-center gap-3">
          <span
            className={`flex size-8 items-center justify-center rounded-full border ${isDone ? 'border-accent bg-accent text-on-accent' : 'border-edge'}`}
          >
            {isDone ? <Icon name="check" className="size-5" /> : i + 1}
          </span>
          <span className={isDone ? 'text-soft' : 'font-medium'}>{text}</span>
          {isDone && <span className="sr-only">{t('setup.step_done')}</span>}
        </li>
      ))}
    </ol>
  )
}

function RemoveDialog({ building, onClose }: { building: AppBuilding; onClose(): void }) {
  const { t } = useWords()
  return (
    <ConfirmDialog
      title={t('setup.remove_title', { building: building.name })}
      text={t('setup.remove_text')}
      action={t('setup.remove')}
      onConfirm={async () => {
        await api('DELETE', `/buildings/${building.id}`)
        navigate({ to: '/' })
      }}
      onDone={() => queryClient.invalidateQueries({ queryKey: buildingsKey })}
      onClose={onClose}
    />
  )
}
