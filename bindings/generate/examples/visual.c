#include <mtoken.h>
#include <stdio.h>

/* Shows an operation in the bank's layout. */
void show_laid_out(const mtoken_operation *operation)
{
    mtoken_visual *visual = NULL;

    if (mtoken_visual_new(operation, &visual, NULL) != MTOKEN_OK) return;
    for (size_t i = 0; i < visual->section_count; i++) {
        const mtoken_visual_section *section = visual->sections[i];
        if (section->title) printf("== %s\n", section->title);
        for (size_t j = 0; j < section->cell_count; j++) {
            const mtoken_visual_cell *cell = section->cells[j];
            if (cell->kind == MTOKEN_CELL_VALUE) printf("%s: ", cell->attribute->label);
            if (cell->text) printf("%s\n", cell->text);
        }
    }
    mtoken_visual_free(visual);
}

/* Reads a member that a bank added to its operations. */
int plays_sound(const mtoken_operation *operation)
{
    mtoken_json_value *value = NULL;
    int found = 0;

    if (mtoken_json_find(operation->json, operation->json_length, "/playSound",
                         MTOKEN_NUL_TERMINATED, &value, NULL) == MTOKEN_OK)
        found = value->kind == MTOKEN_JSON_BOOLEAN && value->is_true;
    mtoken_json_value_free(value);
    return found;
}
