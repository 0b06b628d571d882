#include "simulator.h"

static uint32_t fault_named(const char *name)
{
    uint32_t found = 0;
    while (found < fault_count && strcmp(faults[found].name, name) != 0) found++;
    return found;
}

/* Without answers and time nothing happens. */
static bool is_essential(size_t action) { return actions[action].weight >= 15; }

void plan_of(plan *plan, uint64_t seed, size_t steps)
{
    static const int32_t protocols[] = {MTOKEN_PROTOCOL_3_3, MTOKEN_PROTOCOL_3_3, MTOKEN_PROTOCOL_3_2,
                                        MTOKEN_PROTOCOL_3_1};
    stream stream = {seed};
    uint32_t total = 0, weights[MOST_ACTIONS];
    memset(plan, 0, sizeof *plan);
    plan->seed = seed;
    /* A swarm: a life that knows few faults comes further with them than one that knows all. */
    uint32_t known = 10 + 30 * below(&stream, 3);
    for (size_t i = 0; i < fault_count; i++)
        if (percent(&stream, known)) plan->faults |= UINT64_C(1) << i;
    plan->rate = percent(&stream, 20) ? 0 : 2 + below(&stream, 30);
    plan->protocol = bank_speaks_4() ? MTOKEN_PROTOCOL_4_0 : protocols[below(&stream, 4)];
    plan->window = percent(&stream, 50) ? 20 : 5 + (int)below(&stream, percent(&stream, 50) ? 4 : 60);
    plan->biometry = percent(&stream, 50);
    plan->disk = percent(&stream, 10);
    uint32_t cut = plan->disk && percent(&stream, 50) ? fault_named("the power is cut") : (uint32_t)fault_count;
    if (cut < fault_count) plan->faults |= UINT64_C(1) << cut;
    plan->neighbour = percent(&stream, 15);
    plan->logs = percent(&stream, 5);
    plan->upgrades = percent(&stream, 15) && plan->protocol == MTOKEN_PROTOCOL_3_3;
    plan->count = 1 + below(&stream, (uint32_t)(steps < MOST_STEPS ? steps : MOST_STEPS));
    /* So does one whose host does a few things often. */
    for (size_t i = 0; i < action_count; i++) {
        static const uint32_t times[] = {0, 1, 1, 4};
        uint32_t drawn = times[below(&stream, 4)];
        total += weights[i] = actions[i].weight * (is_essential(i) ? 1 : drawn);
    }
    for (size_t i = 0; i < plan->count; i++) {
        uint32_t chosen = below(&stream, total), event = below(&stream, (uint32_t)fault_count);
        if (cut < fault_count && percent(&stream, 30)) event = cut; /* which alone makes a disk worth having */
        bool strikes = percent(&stream, 12) && faults[event].event && plan->faults >> event & 1;
        size_t action = 0;
        while (chosen >= weights[action]) chosen -= weights[action++];
        plan->steps[i].action = strikes ? (uint32_t)action_count + event : (uint32_t)action;
        plan->steps[i].number = (uint32_t)draw(&stream);
    }
}

static const char *name_of(uint32_t action)
{
    return action < action_count ? actions[action].name : faults[action - action_count].name;
}

bool plan_save(const plan *plan, const char *path, const char *why)
{
    FILE *file = fopen(path, "w");
    const char *suite = getenv("MTOKEN_SUITE");
    if (!file) return false;
    fprintf(file,
            "# %s\nsuite %s\nprotocol %d\nwindow %d\nrate %u\nbiometry %d\ndisk %d\nneighbour %d\nlogs %d\nupgrades "
            "%d\nseed %llu\n",
            why, suite ? suite : "none", (int)plan->protocol, plan->window, plan->rate, plan->biometry, plan->disk,
            plan->neighbour, plan->logs, plan->upgrades, (unsigned long long)plan->seed);
    for (size_t i = 0; i < fault_count; i++)
        if (plan->faults >> i & 1) fprintf(file, "fault %s\n", faults[i].name);
    for (size_t i = 0; i < plan->count; i++)
        fprintf(file, "step %u %s\n", plan->steps[i].number, name_of(plan->steps[i].action));
    return fclose(file) == 0;
}

/* One line of a saved plan. */
static bool take_line(plan *plan, const char *key, const char *value)
{
    if (strcmp(key, "suite") == 0)
        return strcmp(value, "none") == 0 ? unsetenv("MTOKEN_SUITE") == 0 : setenv("MTOKEN_SUITE", value, 1) == 0;
    if (strcmp(key, "protocol") == 0) return (plan->protocol = atoi(value)) > 0;
    if (strcmp(key, "window") == 0) return (plan->window = atoi(value)) > 0;
    if (strcmp(key, "rate") == 0) return (plan->rate = (uint32_t)atoi(value)) <= 100;
    if (strcmp(key, "biometry") == 0) return (plan->biometry = atoi(value) != 0) || *value == '0';
    if (strcmp(key, "disk") == 0) return (plan->disk = atoi(value) != 0) || *value == '0';
    if (strcmp(key, "neighbour") == 0) return (plan->neighbour = atoi(value) != 0) || *value == '0';
    if (strcmp(key, "logs") == 0) return (plan->logs = atoi(value) != 0) || *value == '0';
    if (strcmp(key, "upgrades") == 0) return (plan->upgrades = atoi(value) != 0) || *value == '0';
    if (strcmp(key, "seed") == 0) return (plan->seed = strtoull(value, NULL, 10)) > 0;
    if (strcmp(key, "fault") == 0) {
        for (size_t i = 0; i < fault_count; i++) {
            if (strcmp(faults[i].name, value) != 0) continue;
            plan->faults |= UINT64_C(1) << i;
            return true;
        }
        return false;
    }
    char *name = NULL;
    step step = {0, (uint32_t)strtoul(value, &name, 10)};
    if (strcmp(key, "step") != 0 || plan->count == MOST_STEPS || *name++ != ' ') return false;
    for (; step.action < action_count + fault_count; step.action++) {
        if (strcmp(name_of(step.action), name) != 0) continue;
        plan->steps[plan->count++] = step;
        return true;
    }
    return false;
}

bool plan_load(plan *plan, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    bool good = file != NULL;
    memset(plan, 0, sizeof *plan);
    while (good && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, ' ');
        if (!value || *line == '#') continue;
        *value++ = 0;
        good = take_line(plan, line, value);
        if (!good) fprintf(stderr, "simulator: %s: there is no %s %s\n", path, line, value);
    }
    if (file) fclose(file);
    return good && plan->count > 0;
}
