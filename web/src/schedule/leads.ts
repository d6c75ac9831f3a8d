import type { AppWarmUp } from '@hypocaust/domain'
import { MINUTE_MS, type Programme, WEEKDAYS } from '@hypocaust/domain/facts'
import { useQueries } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { warmUpQuery } from '../api/queries.ts'
import { clockOf, risesOf } from './blocks.ts'

const tenth = (value: number): number => Math.round(value * 10) / 10

const keyOf = (fromK: number, toK: number): string => `${tenth(fromK)} ${tenth(toK)}`

export interface Lead {
  warmUp: AppWarmUp
  /** How long before its step a rise is heated for. */
  minutes: number
}

/**
 * For each rise of a week, by what it comes from and goes to, how long before the floor is heated for it. A step that is
 * dragged keeps the lead of its rise until the service has answered for its new time.
 */
export function useLeads(
  roomId: string,
  targetC: number,
  programme: Programme,
): (fromK: number, toK: number) => Lead | undefined {
  const settled = useDeferredValue(programme)
  const rises = new Map(
    WEEKDAYS.flatMap((day) => risesOf(settled, day)).map((rise) => [keyOf(rise.fromK, rise.toK), rise] as const),
  )
  const entries = [...rises]
  const answers = useQueries({
    queries: entries.map(([, { fromMin, fromK, toK }]) => ({
      ...warmUpQuery(
        roomId,
        `at=${encodeURIComponent(clockOf(fromMin))}&from=${tenth(targetC - fromK)}&to=${tenth(targetC - toK)}`,
      ),
      placeholderData: (previous: AppWarmUp | null | undefined) => previous,
    })),
  })
  const leads = new Map(
    entries.flatMap(([key], i) => {
      const warmUp = answers[i]?.data
      if (!warmUp?.heats_from) return []
      return [[key, { warmUp, minutes: (Date.parse(warmUp.at) - Date.parse(warmUp.heats_from)) / MINUTE_MS }] as const]
    }),
  )
  return (fromK, toK) => leads.get(keyOf(fromK, toK))
}
