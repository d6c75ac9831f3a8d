import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { gatewaysQuery, loopsQuery, sensorsQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { useParam } from '../routing/route.ts'
import { Gateways } from '../setup/gateways.tsx'
import { LoopsOfRooms, LoopTests } from '../setup/loops.tsx'
import { NewRooms } from '../setup/new-rooms.tsx'
import { neededFirst, nextStep, type SetUp, type Step } from '../setup/next-step.ts'
import { RoomList } from '../setup/rooms.tsx'
import { SensorList } from '../setup/sensors.tsx'
import { missingInWords } from '../setup/step-words.ts'
import { StepState, StepsNav, stepsOf } from '../setup/steps.tsx'
import { PageSkeleton } from '../ui/awaited.tsx'
import { Button, ButtonLink, Empty, PageTitle } from '../ui/basics.tsx'
import { NotFoundPage } from './not-found.tsx'

const LOOK_FOR_SENSORS_MS = 3000

/** From nothing to a heated room, one step at a time: a gateway, the sensors it hears, the rooms they are in, their loops. */
export default function SetUpPage() {
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const gateways = useQuery({ ...gatewaysQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const sensors = useQuery({ ...sensorsQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  const loops = useQuery({ ...loopsQuery(buildingId), refetchInterval: LOOK_FOR_SENSORS_MS }).data
  if (building === null) return <NotFoundPage />
  if (!building || !gateways || !sensors || !loops) return <PageSkeleton />
  return <Steps key={building.id} {...{ building, gateways, sensors, loops }} />
}

/** Begins where something is missing; from then on only a tap leads to another step. */
function Steps(setUp: SetUp) {
  const { t } = useWords()
  const { building } = setUp
  const steps = stepsOf(setUp)
  const [step, setStep] = useState<Step>(() => steps.find(({ isDone }) => !isDone)?.step ?? 'rooms')
  const shown = steps.find((each) => each.step === step)
  const next = nextStep(steps, step)
  const needed = neededFirst(steps, step, setUp)
  const params = { buildingId: building.id }
  const isComplete = steps.every(({ isDone }) => isDone)
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params }}>
        {t('setup.title', { building: building.name })}
      </PageTitle>
      <div className="gap-6 space-y-4 lg:flex lg:items-start">
        <StepsNav steps={steps} current={step} onChoose={setStep} />
        <div className="min-w-0 flex-1 space-y-4">
          {needed ? (
            <Empty icon="signal" title={missingInWords(step, setUp, t)}>
              <Button look="main" onClick={() => setStep(needed)}>
                {t('setup.back', { step: t(`setup.name_${needed}`) })}
              </Button>
            </Empty>
          ) : (
            <>
              {shown && <StepState shown={shown} setUp={setUp} />}
              <Content step={step} setUp={setUp} />
            </>
          )}
          {isComplete && <p role="status">{t('setup.complete', { n: building.rooms.length })}</p>}
          <div className="flex flex-wrap gap-2">
            {next && (
              <Button look={shown?.isDone ? 'main' : 'plain'} onClick={() => setStep(next)}>
                {t('setup.next', { step: t(`setup.name_${next}`) })}
              </Button>
            )}
            <ButtonLink to="/buildings/$buildingId" params={params} look={next ? 'quiet' : 'main'}>
              {t('setup.finish')}
            </ButtonLink>
            {isComplete && (
              <ButtonLink to="/buildings/$buildingId/record" params={params} look="plain">
                {t('building.record')}
              </ButtonLink>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

function Content({ step, setUp }: { step: Step; setUp: SetUp }) {
  const { building, gateways, sensors, loops } = setUp
  switch (step) {
    case 'gateway':
      return <Gateways building={building} gateways={gateways} />
    case 'sensors':
      return <SensorList sensors={sensors} />
    case 'rooms':
      return (
        <>
          <NewRooms building={building} gateways={gateways} sensors={sensors} />
          <RoomList building={building} />
        </>
      )
    case 'loops':
      return <LoopsOfRooms building={building} gateways={gateways} loops={loops} />
    case 'test':
      return <LoopTests building={building} gateways={gateways} loops={loops} />
  }
}
