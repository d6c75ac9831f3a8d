import { type Simulation, START } from './agent-simulation.ts'

interface SourceSwitch {
  output: number
  on: boolean
  atS: number
}

/** Several agents on one device broker, with relays of the Tasmota `source` that all of them can reach. */
export class SharedCellar {
  readonly agents: Simulation[] = []
  readonly switched: SourceSwitch[] = []
  readonly #on = new Set<number>()
  readonly #read = new Map<object, number>()
  /** By the clock of the first agent: an agent that starts takes its time to listen. */
  get atS(): number {
    return ((this.agents[0]?.wallMs ?? START) - START) / 1000
  }

  isOn(output: number): boolean {
    return this.#on.has(output)
  }

  switchesOf(output: number): SourceSwitch[] {
    return this.switched.filter((each) => each.output === output)
  }

  pass(seconds: number, each: () => void = () => {}): void {
    for (let i = 0; i < seconds; i += 1) {
      each()
      this.deliver()
      for (const agent of this.agents) agent.pass(1)
      this.deliver()
    }
  }

  /** What an agent publishes reaches the others and the source, as a broker would pass it on. */
  deliver(): void {
    for (const agent of this.agents)
      for (const link of [agent.devices.sent, agent.devices.announced]) {
        const from = Math.min(this.#read.get(link) ?? 0, link.length)
        for (const { topic, payload } of link.slice(from)) this.#pass(agent, topic, payload)
        this.#read.set(link, link.length)
      }
  }

  #pass(from: Simulation, topic: string, payload: string): void {
    const output = Number(/^cmnd\/source\/POWER(\d+)$/.exec(topic)?.[1])
    if (output > 0) this.#switch(output, payload)
    for (const agent of this.agents)
      if (agent !== from && agent.devices.connected && topic.startsWith('hypocaust-')) agent.hear(topic, payload)
  }

  #switch(output: number, payload: string): void {
    const on = payload === '' ? this.#on.has(output) : payload === 'ON'
    if (on !== this.#on.has(output)) this.switched.push({ output, on, atS: this.atS })
    if (on) this.#on.add(output)
    else this.#on.delete(output)
    const report = { [`POWER${output}`]: on ? 'ON' : 'OFF' }
    for (const agent of this.agents) if (agent.devices.connected) agent.hear('stat/source/RESULT', report)
  }
}
