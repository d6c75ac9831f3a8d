import { BaseSequencer, type TestSpecification } from 'vitest/node'

const SLOW = [
  '/e2e/test/',
  '/cli/test/demo.test.ts',
  '/gateway/test/killed.test.ts',
  '/gateway/test/end-to-end.test.ts',
]

/**
 * On a fresh machine the largest files come first. Those that start processes and browsers are short and slow: left
 * for the end, the other workers would wait for them.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((part) => moduleId.includes(part))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
