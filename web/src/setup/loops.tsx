import type { AppBuilding, AppLoops, AppRoom, GatewayEntry, LoopRun, LoopTest } from '@hypocaust/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, loopsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { useLoopName } from './loop-name.ts'
import { LoopResult } from './loop-result.tsx'
import { RoomLine } from './rooms.tsx'

type LoopRef = Pick<LoopTest, 'gateway_id' | 'channel'>

interface Props {
  building: AppBuilding
  gateways: GatewayEntry[]
  loops: AppLoops
}

/** Which loop warms which room: chosen for a room, or found by a search of all. Rooms without one come first. */
export function LoopsOfRooms(props: Props) {
  const { t } = useWords()
  const { building } = props
  const nameOf = useLoopName(props.gateways)
  const loopsOf = ({ id }: AppRoom) =>
    props.loops.loops
      .filter(({ room_id }) => room_id === id)
      .map(nameOf)
      .join(', ')
  const [isAsking, setAsking] = useState(false)
  const without = building.rooms.filter(({ valves }) => valves.length === 0)
  return (
    <LoopRunning {...props}>
      <p className="text-sm text-soft">{t('loops.text')}</p>
      <ul className="divide-y divide-line">
        {[...without, ...building.rooms.filter((room) => !without.includes(room))].map((room) => (
          <li key={room.id} className="flex">
            <RoomLine room={room} loops={loopsOf(room)} />
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">{t('loops.search_text')}</p>
      <Button look={without.length > 0 ? 'main' : 'plain'} onClick={() => setAsking(true)}>
        {t('loops.search')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('search.ask')}
          text={t('search.ask_text', { rooms: building.rooms.map(({ name }) => name).join(', ') })}
          action={t('search.start')}
          onConfirm={async () => noteLoops(building.id, await api<AppLoops>('POST', `${pathOf(building)}/search`))}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </LoopRunning>
  )
}

/** Each loop opened for a while, so that one can feel which pipe and which floor it warms. */
export function LoopTests(props: Props) {
  const { t } = useWords()
  const nameOf = useLoopName(props.gateways)
  const { isBusy, problem, run } = useDeed()
  const { building, loops } = props
  const test = (loop: LoopRef) =>
    run(async () => noteLoops(building.id, await api<AppLoops>('POST', `${pathOf(building)}/test`, loop)))
  return (
    <LoopRunning {...props}>
      <p className="text-sm text-soft">{t('loops.test_text')}</p>
      <LoopList building={building} loops={loops.loops} nameOf={nameOf} isBusy={isBusy} onTest={test} />
      {problem && <Problem>{problem}</Problem>}
    </LoopRunning>
  )
}

/** While a test or a search runs, what it does; then what it has found; else what can be begun. */
function LoopRunning({ building, gateways, loops: { loops, run }, children }: Props & { children: ReactNode }) {
  const { t } = useWords()
  const nameOf = useLoopName(gateways)
  const { isBusy, problem, run: perform } = useDeed()
  const path = pathOf(building)
  const change = (deed: () => Promise<AppLoops>) => perform(async () => noteLoops(building.id, await deed()))
  return (
    <Section title={t('loops.title')}>
      {loops.length === 0 && <p className="text-sm text-soft">{t('loops.no_loops')}</p>}
      {loops.length > 0 && !run && children}
      {run && !run.ended && (
        <Running
          building={building}
          run={run}
          nameOf={nameOf}
          isBusy={isBusy}
          onStop={() => change(() => api<AppLoops>('DELETE', `${path}/run`))}
        />
      )}
      {run?.ended && (
        <LoopResult
          key={run.started_at}
          building={building}
          run={run}
          nameOf={nameOf}
          isBusy={isBusy}
          onConfirm={(confirmed) => change(() => api<AppLoops>('PUT', `${path}/rooms`, { loops: confirmed }))}
        />
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

const pathOf = ({ id }: AppBuilding): string => `/buildings/${id}/loops`

async function noteLoops(buildingId: string, loops: AppLoops): Promise<void> {
  queryClient.setQueryData(loopsQuery(buildingId).queryKey, loops)
  await Promise.all([buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

interface ListProps {
  building: AppBuilding
  loops: AppLoops['loops']
  nameOf(loop: LoopRef): string
  isBusy: boolean
  onTest(loop: LoopRef): void
}

function LoopList({ building, loops, nameOf, isBusy, onTest }: ListProps) {
  const { t, format } = useWords()
  const now = useNow()
  return (
    <ul className="divide-y divide-line">
      {loops.map(({ room_id, tested, ...loop }) => {
        const room = building.rooms.find(({ id }) => id === room_id)?.name
        const when = tested
          ? t('loops.tested', { time: format.since(Date.parse(tested.at), now, building.timezone) })
          : t('loops.untested')
        return (
          <li key={`${loop.gateway_id} ${loop.channel}`} className="flex flex-wrap items-center gap-2 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{nameOf(loop)}</p>
              <p className="text-sm text-soft">
                {room ?? t('loops.no_room')} · {when}
              </p>
            </div>
            <Button
              onClick={() => onTest({ gateway_id: loop.gateway_id, channel: loop.channel })}
              disabled={isBusy}
              aria-label={t('loops.test_of', { loop: nameOf(loop) })}
            >
              {t('loops.test')}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

interface RunningProps {
  building: AppBuilding
  run: LoopRun
  nameOf(loop: LoopRef): string
  isBusy: boolean
  onStop(): void
}

function Running({ building, run, nameOf, isBusy, onStop }: RunningProps) {
  const { t, format } = useWords()
  const now = useNow()
  const current = run.trials.find(({ opened_at, closed_at }) => opened_at !== null && closed_at === null)
  const done = run.trials.filter(({ closed_at }) => closed_at !== null).length
  const since = (at: string) => format.since(Date.parse(at), now, building.timezone)
  return (
    <>
      <div role="status" className="space-y-1">
        {run.kind === 'find' && (
          <p className="font-semibold">{t('loops.progress', { done, all: run.trials.length })}</p>
        )}
        {current && (
          <p>
            {run.ends_at === null
              ? t('loops.open_since', { loop: nameOf(current), time: since(current.opened_at ?? run.started_at) })
              : t('loops.open_until', { loop: nameOf(current), time: since(run.ends_at) })}
          </p>
        )}
      </div>
      <p className="text-sm text-soft">{t(run.kind === 'find' ? 'loops.searching_text' : 'loops.testing_text')}</p>
      <Rises building={building} rises={run.rises} />
      <Button look="main" onClick={onStop} disabled={isBusy}>
        {t(run.kind === 'find' ? 'loops.stop_search' : 'loops.stop_test')}
      </Button>
    </>
  )
}

function Rises({ building, rises }: { building: AppBuilding; rises: LoopRun['rises'] }) {
  const { t, format } = useWords()
  if (rises.length === 0) return null
  const sorted = [...rises].sort((a, b) => b.kelvin - a.kelvin)
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
      {sorted.map(({ room_id, kelvin }) => (
        <div key={room_id} className="contents">
          <dt>{building.rooms.find(({ id }) => id === room_id)?.name}</dt>
          <dd className="tabular-nums">
            {kelvin > 0
              ? t('loops.warmer', { degrees: format.kelvin(kelvin) })
              : t('loops.kelvin', { degrees: format.kelvin(kelvin) })}
          </dd>
        </div>
      ))}
    </dl>
  )
}
