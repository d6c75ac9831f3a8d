import { DESIGN_OUTDOOR_C, type HouseReportQuery } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import type { ReportQuestion } from '../../house/reports/house-report.ts'
import { calendarDay } from './energy-query.ts'

/** A report replays two weeks of every room. */
export const REPORT_COST = { cost: 28, costPerRoom: 8 }

export function reportQuestion({ outdoor_temperature, renovated }: HouseReportQuery): ReportQuestion {
  return { outdoorC: designOutdoorC(outdoor_temperature), renovated: calendarDay('renovated', renovated) ?? null }
}

export function designOutdoorC(outdoor: string | undefined): number {
  const { minimum, maximum, usual } = DESIGN_OUTDOOR_C
  const outdoorC = outdoor === undefined ? usual : Number(outdoor)
  if (outdoorC < minimum || outdoorC > maximum)
    throw errors.invalidValue(`outdoor_temperature must be between ${minimum} and ${maximum}.`)
  return outdoorC
}
