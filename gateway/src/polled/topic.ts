const POLLED = /^(?:modbus|http):/

/** Whether a topic of gateway.yaml stands for a device that is asked, and not for one on the broker. */
export const isPolled = (topic: string): boolean => POLLED.test(topic)

/** `modbus:heatpump` of `modbus:heatpump/outdoor`. */
export const deviceOf = (topic: string): string => topic.split('/', 1)[0] ?? ''
