import type { HouseReport } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { Facts } from '../record/facts.tsx'
import { Section } from '../ui/basics.tsx'
import { UNKNOWN, useRange } from './ranges.ts'

const LIST = 'divide-y divide-line'

/** What is not known is left out; a sentence below says what it would take. */
const known = (facts: [string, string][]) => facts.filter(([, value]) => value !== UNKNOWN)

export function HouseFigures({ report, name }: { report: HouseReport; name: string }) {
  const { t, format } = useWords()
  const range = useRange()
  const { heat_load, loss_per_kelvin, time_constant, sun_share, degree, is_metered } = report
  return (
    <Section title={t('house_report.house')}>
      <ul>
        <Facts
          name={name}
          facts={known([
            [t('house_report.heat_load'), range(heat_load, format.decimal)],
            [t('house_report.loss'), range(loss_per_kelvin, format.whole)],
            [
              t('house_report.time_constant'),
              time_constant === null ? UNKNOWN : t('unit.hours_short', { n: time_constant }),
            ],
            [t('house_report.sun'), sun_share === null ? UNKNOWN : format.percent(sun_share)],
            [t('house_report.degree'), degree === null ? UNKNOWN : format.percent(degree)],
          ])}
        />
      </ul>
      <p className="text-sm text-soft">{t(is_metered ? 'house_report.metered' : 'house_report.unmetered')}</p>
    </Section>
  )
}

export function SupplyFigures({ report: { supply, rooms } }: { report: HouseReport }) {
  const { t, format } = useWords()
  const range = useRange()
  if (!supply) return null
  const limiting = rooms.find(({ id }) => id === supply.limiting_room)?.name ?? ''
  const { relief, today } = supply
  return (
    <Section title={t('house_report.heat_pump')}>
      <ul>
        <Facts
          name={t('house_report.house')}
          facts={known([
            [t('house_report.supply'), range(supply.temperature, format.decimal)],
            [t('house_report.limiting'), limiting],
            [t('house_report.cop'), range(supply.seasonal_cop, format.decimal)],
            [
              t('house_report.today'),
              today === null
                ? UNKNOWN
                : t('house_report.today_value', {
                    supply: format.decimal(today.temperature),
                    cop: format.decimal(today.seasonal_cop),
                  }),
            ],
          ])}
        />
      </ul>
      {relief && (
        <div>
          <p>{t('house_report.relief', { supply: format.decimal(relief.supply), room: limiting })}</p>
          <ul className="list-disc ps-6">
            {relief.flow !== null && <li>{t('house_report.relief_flow', { times: format.decimal(relief.flow) })}</li>}
            <li>{t('house_report.relief_loss', { percent: format.percent(relief.less_loss) })}</li>
            <li>{t('house_report.relief_cooler', { kelvin: format.kelvin(relief.cooler) })}</li>
          </ul>
        </div>
      )}
      <p className="text-sm text-soft">
        {t(`house_report.cop_${supply.cop_basis}`)} {!supply.is_measured && t('house_report.water_assumed')}
      </p>
    </Section>
  )
}

export function RenovationFigures({ renovation }: { renovation: HouseReport['renovation'] }) {
  const { t, format } = useWords()
  const range = useRange()
  if (!renovation) return null
  const { day, pairs, change } = renovation
  const name = t('house_report.renovation', { day: format.longDate(Date.parse(day)) })
  return (
    <Section title={name}>
      <ul>
        <Facts
          name={t('house_report.house')}
          facts={[
            [t('house_report.pairs'), format.whole(pairs)],
            [t('house_report.change'), range(change, format.percent)],
          ]}
        />
      </ul>
      {change === null && <p className="text-sm text-soft">{t('house_report.few_pairs')}</p>}
    </Section>
  )
}

export function RoomFigures({ rooms }: Pick<HouseReport, 'rooms'>) {
  const { t, format } = useWords()
  const range = useRange()
  const floorOf = ({ floor, floor_limit }: HouseReport['rooms'][number]) =>
    floor > floor_limit
      ? t('house_report.floor_above', { floor: format.degrees(floor), limit: format.degrees(floor_limit) })
      : `${format.degrees(floor)}°`
  return (
    <Section title={t('house_report.rooms')}>
      <ul className={LIST}>
        {rooms.map((room) => (
          <Facts
            key={room.id}
            name={`${room.name}, ${format.input(room.area_m2)} m², ${format.degrees(room.temperature)}°`}
            facts={known([
              [t('house_report.share'), range(room.share, format.percent)],
              [t('house_report.heat_load'), range(room.heat_load, format.decimal)],
              [t('house_report.loss'), range(room.loss_per_kelvin, format.decimal)],
              [t('house_report.supply'), range(room.supply, format.decimal)],
              [t('house_report.floor'), floorOf(room)],
              [t('house_report.time_constant'), t('unit.hours_short', { n: room.time_constant })],
              [t('house_report.sun'), format.percent(room.sun_share)],
            ])}
          />
        ))}
      </ul>
    </Section>
  )
}
