interface Waiting<Question, Answer> {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Questions that arrive within one turn of the event loop are put to the database as one, which costs little more. */
export class Gathered<Question, Answer> {
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
      for (const { reject } of asked) reject(error)
    }
  }
}
