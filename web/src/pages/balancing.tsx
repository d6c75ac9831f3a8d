import type { AppBuilding, Balancing } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { useNow } from '../api/now.ts'
import { balancingQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { BalancedRooms, BalanceResult } from '../report/balance.tsx'
import { Basis, LeftOut } from '../report/basis.tsx'
import { FIRST_QUESTION, QuestionForm } from '../report/question.tsx'
import { TakeAway } from '../report/take-away.tsx'
import { useParam } from '../routing/route.ts'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { PageTitle, Skeleton } from '../ui/basics.tsx'
import { localTimeOf } from '../ui/local-time.ts'
import { NotFoundPage } from './not-found.tsx'

/** By how much each loop's water should change; printed, the document that a professional signs. */
export default function BalancingPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const now = useNow()
  const [{ outdoor }, setQuestion] = useState(FIRST_QUESTION)
  const isAllowed = building ? mayDo(building.role, 'set_up') : false
  const balancing = useQuery({ ...balancingQuery(buildingId, outdoor), enabled: isAllowed })
  if (building === null || (building && !isAllowed)) return <NotFoundPage />
  if (!building) return <PageSkeleton />
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId/house-report', params: { buildingId } }}>
        {t('balance.title', { building: building.name })}
      </PageTitle>
      <div className="space-y-4 print:hidden">
        <QuestionForm
          today={localTimeOf(now, building.timezone).slice(0, 10)}
          hasRenovation={false}
          onAsk={setQuestion}
        />
      </div>
      <Awaited of={[balancing]}>
        <Skeleton className="h-96" />
      </Awaited>
      {balancing.data && <Advice building={building} balancing={balancing.data} />}
    </div>
  )
}

function Advice({ building, balancing }: { building: AppBuilding; balancing: Balancing }) {
  const { t } = useWords()
  return (
    <>
      {balancing.rooms.length > 0 && (
        <div className="flex flex-wrap gap-2 print:hidden">
          <TakeAway name="balancing.json" value={balancing} />
        </div>
      )}
      <Basis building={building} report={balancing} />
      <BalanceResult balancing={balancing} />
      {balancing.rooms.length > 0 && <BalancedRooms balancing={balancing} />}
      <LeftOut rooms={balancing.left_out} />
      <p className="mt-12 hidden w-1/2 border-t border-edge pt-1 text-sm print:block">{t('balance.signed')}</p>
    </>
  )
}
