import type { ReportedSensor } from '@hypocaust/domain'
import type { Translate } from '../i18n/translator.ts'
import { untested } from '../record/checks.ts'
import type { SetUp, Step } from './next-step.ts'

export const assignedOf = (sensors: ReportedSensor[]): number => sensors.filter(({ rooms }) => rooms.length > 0).length

/** What there is in a step that is done. */
export function doneInWords(step: Step, { building, sensors }: SetUp, t: Translate): string {
  switch (step) {
    case 'gateway':
      return t('setup.done_gateway')
    case 'sensors':
      return t('setup.done_sensors', { n: sensors.filter(({ reading }) => reading !== null).length })
    case 'rooms':
      return t('setup.done_rooms', { n: building.rooms.length })
    case 'loops':
      return t('setup.done_loops')
    case 'test':
      return t('setup.done_test')
  }
}

/** What is missing in a step; where a step before it is missing, that. */
export function missingInWords(step: Step, { building, sensors, loops: { loops } }: SetUp, t: Translate): string {
  switch (step) {
    case 'gateway':
      return t('setup.step_gateway')
    case 'sensors':
      return t('setup.step_sensors')
    case 'rooms':
      return sensors.length === 0
        ? t('setup.step_no_sensors')
        : t('setup.step_rooms', { assigned: assignedOf(sensors), all: sensors.length })
    case 'loops':
      return t(building.rooms.length === 0 ? 'setup.step_no_rooms' : 'setup.step_loops')
    case 'test': {
      const n = untested(loops).length
      return n === 0 ? t('setup.step_loops') : t('setup.step_untested', { n })
    }
  }
}
