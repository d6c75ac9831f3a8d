import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first: left for the end, one of them would run alone while the other workers have nothing to do. */
const LONGEST = [
  'e2e/test/release.long.test.ts',
  'e2e/test/faults.long.test.ts',
  'e2e/test/simulate.long.test.ts',
  'gateway/test/house-days.long.test.ts',
  'service/test/races.long.test.ts',
  'e2e/test/chaos.long.test.ts',
  'e2e/test/web-pages.long.test.ts',
  'e2e/test/web-offline.long.test.ts',
  'e2e/test/web-security.long.test.ts',
  'e2e/test/authorisation.long.test.ts',
  'cli/test/holder.long.test.ts',
  'cli/test/story.long.test.ts',
  'e2e/test/web-notifications.long.test.ts',
  'e2e/test/',
  'service/test/app-sign-in.test.ts',
  'service/test/alert-notifications.test.ts',
  'service/test/plans.test.ts',
  'service/test/etag-property.long.test.ts',
  'service/test/promises.test.ts',
  'service/test/state.test.ts',
  'service/test/quotas.test.ts',
  'service/test/members.test.ts',
  'service/test/heating.test.ts',
  'cli/test/migrate-store.long.test.ts',
]

/** Vitest sorts by the durations of the last run; on a fresh machine it knows only how large the files are. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((part) => moduleId.includes(`/${part}`))
      return index === -1 ? LONGEST.length : index
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
