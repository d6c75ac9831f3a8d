import type { Balancing } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { gatewaysQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Facts } from '../record/facts.tsx'
import { useParam } from '../routing/route.ts'
import { useLoopName } from '../setup/loop-name.ts'
import { Section } from '../ui/basics.tsx'
import { useRange } from './ranges.ts'

export function BalanceResult({ balancing }: { balancing: Balancing }) {
  const { t, format } = useWords()
  const range = useRange()
  const { supply, supply_after, lowering, limiting_room, rooms, is_measured } = balancing
  if (supply_after === null)
    return (
      <Section title={t('balance.result')}>
        <p>{t('balance.none')}</p>
      </Section>
    )
  return (
    <Section title={t('balance.result')}>
      <ul>
        <Facts
          name={t('house_report.house')}
          facts={[
            [t('balance.now'), range(supply, format.decimal)],
            [t('balance.after'), format.decimal(supply_after)],
            [t('balance.lowering'), range(lowering, format.decimal)],
            [t('house_report.limiting'), rooms.find(({ id }) => id === limiting_room)?.name ?? '–'],
          ]}
        />
      </ul>
      <p>{t('balance.how')}</p>
      {!is_measured && <p className="text-sm text-soft">{t('house_report.water_assumed')}</p>}
    </Section>
  )
}

export function BalancedRooms({ balancing: { rooms } }: { balancing: Balancing }) {
  const { t, format } = useWords()
  const range = useRange()
  const gateways = useQuery(gatewaysQuery(useParam('buildingId'))).data ?? []
  const loopName = useLoopName(gateways)
  return (
    <Section title={t('house_report.rooms')}>
      <ul className="divide-y divide-line">
        {rooms.map((room) => (
          <Facts
            key={room.id}
            name={room.name}
            facts={[
              [t('balance.advice'), t(`balance.advice_${room.advice}`)],
              [t('balance.flow'), range(room.flow, format.decimal)],
              [t('balance.now'), format.decimal(room.supply)],
              [t('balance.after'), format.decimal(room.supply_after)],
              [t('house_report.share'), range(room.share, format.percent)],
              [t('house_report.heat_load'), range(room.heat_load, format.decimal)],
              ...room.loops.flatMap((loop): [string, string][] =>
                loop.design_flow_l_min === null || loop.advised_flow_l_min === null
                  ? []
                  : [
                      [
                        t('balance.loop_flow', { loop: loopName(loop) }),
                        `${format.input(loop.design_flow_l_min)} → ${format.input(loop.advised_flow_l_min)}`,
                      ],
                    ],
              ),
            ]}
          />
        ))}
      </ul>
      <p className="text-sm text-soft">{t('balance.estimated')}</p>
    </Section>
  )
}
