import { isStoreError } from './store.ts'

interface Waiting<Question, Answer> {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Questions that arrive within one turn of the event loop are put to the database as one, which costs little more. */
export class MicroBatch<Question, Answer> {
  readonly #answerAll: (questions: Question[]) => Promise<Answer[]>
  #waiting: Waiting<Question, Answer>[] = []

  /** `answerAll` gives the answers in the order of the questions. */
  constructor(answerAll: (questions: Question[]) => Promise<Answer[]>) {
    this.#answerAll = answerAll
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#ask())
      this.#waiting.push({ question, resolve, reject })
    })
  }

  async #ask(): Promise<void> {
    const asked = this.#waiting
    this.#waiting = []
    try {
      const answers = await this.#answerAll(asked.map(({ question }) => question))
      asked.forEach(({ resolve }, i) => {
        resolve(answers[i] as Answer)
      })
    } catch (error) {
      // The database may refuse one of them: then the others get their answers, and the error is its own.
      if (asked.length > 1 && !isStoreError(error, 'unavailable')) for (const each of asked) void this.#askAlone(each)
      else for (const { reject } of asked) reject(error)
    }
  }

  async #askAlone({ question, resolve, reject }: Waiting<Question, Answer>): Promise<void> {
    try {
      const [answer] = await this.#answerAll([question])
      resolve(answer as Answer)
    } catch (error) {
      reject(error)
    }
  }
}
