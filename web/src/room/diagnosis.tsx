import type { AppBuilding, AppRoom, RoomDiagnosis } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { diagnosisQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { EvidencePicture } from './evidence-picture.tsx'

/** What is probably wrong, how sure that is, what shows it and what to check. Of a healthy room nothing is said. */
export function Diagnosis({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t, format } = useWords()
  const { data } = useQuery(diagnosisQuery(room.id))
  const [first, ...others] = data?.causes ?? []
  if (!data || !first) return null
  const dateOf = (stamp: string) => format.date(Date.parse(stamp), building.timezone)
  const otherRoom = building.rooms.find(({ id }) => id === first.other_room_id)
  return (
    <Section title={t('diagnosis.title')}>
      <p className="font-medium">{t(`cause.${first.cause}`)}</p>
      <p className="text-soft">
        {t('diagnosis.how_sure', { percent: format.percent(first.probability), date: dateOf(first.began_at) })}
        {otherRoom && ` ${t('diagnosis.other_room', { room: otherRoom.name })}`}
      </p>
      <EvidencePicture evidence={data.evidence} timeZone={building.timezone} />
      <p className="font-medium">{t('diagnosis.check_first')}</p>
      <ol className="list-decimal space-y-1 pl-5">
        {first.checks.map((check) => (
          <li key={check}>{t(`check.${check}`)}</li>
        ))}
      </ol>
      <Others causes={others} />
      <p className="text-sm text-soft">{t('diagnosis.basis', { date: dateOf(data.examined_at) })}</p>
    </Section>
  )
}

function Others({ causes }: { causes: RoomDiagnosis['causes'] }) {
  const { t, format } = useWords()
  if (causes.length === 0) return null
  return (
    <>
      <p className="font-medium">{t('diagnosis.also')}</p>
      <ul className="list-disc space-y-1 pl-5 text-sm text-soft">
        {causes.map(({ cause, probability }) => (
          <li key={cause}>{`${t(`cause.${cause}`)} (${format.percent(probability)})`}</li>
        ))}
      </ul>
    </>
  )
}
