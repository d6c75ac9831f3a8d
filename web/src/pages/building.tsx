import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { buildingsQuery } from '../api/queries.ts'
import { BuildingView } from '../building/view.tsx'
import { PageSkeleton } from '../ui/basics.tsx'
import { NotFoundPage } from './not-found.tsx'

export default function BuildingPage() {
  const { buildingId } = useParams({ from: '/buildings/$buildingId' })
  const buildings = useQuery(buildingsQuery).data
  if (!buildings) return <PageSkeleton />
  const building = buildings.find(({ id }) => id === buildingId)
  return building ? <BuildingView building={building} back={{ to: '/' }} /> : <NotFoundPage />
}
