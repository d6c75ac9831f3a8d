import type { AppBuilding, HouseReport } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { useNow } from '../api/now.ts'
import { houseReportQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Basis, LeftOut } from '../report/basis.tsx'
import { FIRST_QUESTION, QuestionForm } from '../report/question.tsx'
import { HouseFigures, RenovationFigures, RoomFigures, SupplyFigures } from '../report/sections.tsx'
import { TakeAway } from '../report/take-away.tsx'
import { useParam } from '../routing/route.ts'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { ButtonLink, PageTitle, Skeleton } from '../ui/basics.tsx'
import { localTimeOf } from '../ui/local-time.ts'
import { NotFoundPage } from './not-found.tsx'

/** What a house is like, on one page: to keep, to print, and for those who plan its heating. */
export default function HouseReportPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const now = useNow()
  const [question, setQuestion] = useState(FIRST_QUESTION)
  const isAllowed = building ? mayDo(building.role, 'set_up') : false
  const report = useQuery({ ...houseReportQuery(buildingId, question), enabled: isAllowed })
  if (building === null || (building && !isAllowed)) return <NotFoundPage />
  if (!building) return <PageSkeleton />
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId } }}>
        {t('house_report.title', { building: building.name })}
      </PageTitle>
      <div className="space-y-4 print:hidden">
        <QuestionForm
          today={localTimeOf(now, building.timezone).slice(0, 10)}
          hasRenovation={true}
          onAsk={setQuestion}
        />
      </div>
      <Awaited of={[report]}>
        <Skeleton className="h-96" />
      </Awaited>
      {report.data && <Report building={building} report={report.data} />}
    </div>
  )
}

function Report({ building, report }: { building: AppBuilding; report: HouseReport }) {
  const { t } = useWords()
  return (
    <>
      <div className="flex flex-wrap gap-2 print:hidden">
        {report.rooms.length > 0 && <TakeAway name="house-report.json" value={report} />}
        <ButtonLink icon="gear" to="/buildings/$buildingId/balancing" params={{ buildingId: building.id }}>
          {t('balance.name')}
        </ButtonLink>
      </div>
      <Basis building={building} report={report} />
      {report.rooms.length > 0 && (
        <>
          <HouseFigures report={report} name={building.name} />
          <SupplyFigures report={report} />
        </>
      )}
      <RenovationFigures renovation={report.renovation} />
      {report.rooms.length > 0 && <RoomFigures rooms={report.rooms} />}
      <LeftOut rooms={report.left_out} />
    </>
  )
}
