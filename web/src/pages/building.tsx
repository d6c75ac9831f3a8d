import { useBuilding } from '../api/buildings.ts'
import { BuildingPages } from '../building/pages-nav.tsx'
import { BuildingView } from '../building/view.tsx'
import { useParam } from '../routing/route.ts'
import { PageSkeleton } from '../ui/awaited.tsx'
import { NotFoundPage } from './not-found.tsx'

export default function BuildingPage() {
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  if (building === undefined) return <PageSkeleton />
  if (building === null) return <NotFoundPage />
  return (
    <>
      <BuildingView building={building} back={{ to: '/' }} />
      <BuildingPages building={building} />
    </>
  )
}
