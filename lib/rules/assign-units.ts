/** Assigns units of lines to parts that need them. A unit that fits several parts goes where it is needed. */

export interface UnitLine {
  readonly quantity: number;
}

/** A number of units of lines that fit. Lines are given by their indices. */
export interface Demand {
  readonly wanted: number;
  readonly fitting: readonly number[];
}

/** The assigned units by the indices of lines, and the units that are missing. */
export interface Supply {
  readonly units: ReadonlyMap<number, number>;
  readonly missing: number;
}

/** Assigns the most units to all parts together (augmenting paths by Ford and Fulkerson). */
class Assignment {
  readonly units: Map<number, number>[];
  private readonly demands: readonly Demand[];
  private readonly free: number[];

  constructor(lines: readonly UnitLine[], demands: readonly Demand[]) {
    this.demands = demands;
    this.free = lines.map(({ quantity }) => quantity);
    this.units = demands.map(() => new Map());
  }

  /** Gives a part up to `wanted` units. Returns how many it got. */
  give(part: number, wanted: number): number {
    let left = wanted;
    for (let got = -1; left > 0 && got !== 0; left -= got) got = this.find(part, left, new Set());
    return wanted - left;
  }

  /** Takes units that are free, or that another part can replace. Each part is asked once. */
  private find(part: number, wanted: number, asked: Set<number>): number {
    asked.add(part);
    let left = wanted;
    for (const index of this.demands[part]?.fitting ?? []) {
      left -= this.take(part, index, Math.min(left, this.free[index] ?? 0));
      for (const [other, units] of this.units.entries()) {
        const there = units.get(index) ?? 0;
        if (left === 0 || there === 0 || asked.has(other)) continue;
        const moved = this.find(other, Math.min(left, there), asked);
        this.take(other, index, -moved);
        left -= this.take(part, index, moved);
      }
    }
    return wanted - left;
  }

  private take(part: number, index: number, count: number): number {
    const units = this.units[part];
    units?.set(index, (units.get(index) ?? 0) + count);
    this.free[index] = (this.free[index] ?? 0) - count;
    return count;
  }
}

/** Assigns as many units as possible. The first demands win if there are not enough. */
export function assignUnits(lines: readonly UnitLine[], demands: readonly Demand[]): Supply[] {
  const assignment = new Assignment(lines, demands);
  const missing = demands.map(({ wanted }, part) => wanted - assignment.give(part, wanted));
  return missing.map((count, part) => ({
    units: new Map([...(assignment.units[part] ?? [])].filter(([, units]) => units > 0)),
    missing: count,
  }));
}
