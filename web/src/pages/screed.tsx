import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useBuilding } from '../api/buildings.ts'
import { screedQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { useParam } from '../routing/route.ts'
import { ScreedRecords } from '../screed/record.tsx'
import { ScreedRunning } from '../screed/running.tsx'
import { ScreedStartForm } from '../screed/start.tsx'
import { PageSkeleton } from '../ui/awaited.tsx'
import { PageTitle, Section } from '../ui/basics.tsx'
import { NotFoundPage } from './not-found.tsx'

/** The heat-up of a new screed: its start, how far it is, and its records to hand over. */
export default function ScreedPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const screed = useQuery({ ...screedQuery(buildingId), refetchInterval: 60_000 }).data
  if (building === null || (building && !mayDo(building.role, 'set_up'))) return <NotFoundPage />
  if (!building || !screed) return <PageSkeleton />
  const { run } = screed
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId/record', params: { buildingId } }}>{t('screed.title')}</PageTitle>
      <div className="space-y-4 print:hidden">
        {run && <ScreedRunning building={building} screed={screed} run={run} />}
        {(!run || run.ended_at !== null) && (
          <Section title={t('screed.programme')}>
            <ScreedStartForm buildingId={buildingId} screed={screed} />
          </Section>
        )}
      </div>
      <ScreedRecords building={building} records={screed.records} />
    </div>
  )
}
