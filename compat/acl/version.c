// SPDX-License-Identifier: Apache-2.0
// Versions of packages, from the files of an installation or from a built-in list. Each call reads
// the files anew. The file has no state.
#include <acl/detail/system.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compat/acl/face.h"
#include "compat/face/uncancelled.h"

#define ROOM ACL_PKG_VERSION_MAX_SIZE

// By aclCANNPackageName, and one more.
static const char *const packages[] = {"CANN", "runtime",    "compiler", "hccl",    "toolkit",
                                       "opp",  "opp-kernel", "driver",   "firmware"};
#define PACKAGES (sizeof packages / sizeof packages[0])

// ---- the text

// Reads the value of the line "version=" or "Version=". Returns false if the file has none that
// fits the room.
static bool read_version(FILE *file, char text[ROOM]) {
    char line[ROOM + sizeof "version="];
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncasecmp(line, "version=", 8) == 0) {
            size_t length = strcspn(line + 8, " \t\r\n");
            if (length == 0 || length >= ROOM) return false;
            memcpy(text, line + 8, length);
            text[length] = '\0';
            return true;
        }
    }
    return false;
}

// Opens the file of a package under $ASCEND_HOME_PATH, or returns NULL. `from` is exchanged for
// `to` in the name.
static FILE *open_version(const char *home, const char *name, char from, char to) {
    char path[4096];
    int used = snprintf(path, sizeof path, "%s/share/info/", home);
    int length = used >= 0 && (size_t)used < sizeof path
                     ? snprintf(path + used, sizeof path - (size_t)used, "%s/version.info", name)
                     : -1;
    if (length < 0 || (size_t)used + (size_t)length >= sizeof path) return NULL;
    for (char *at = path + used; *at != '/'; at++) *at = *at == from ? to : *at;
    return fopen(path, "re");
}

static aclError find_text(const char *name, char text[ROOM]) {
    TN_FACE_UNCANCELLED;
    const char *home = getenv("ASCEND_HOME_PATH");
    FILE *file = NULL;
    if (home != NULL && home[0] != '\0' && name[0] != '\0' && strchr(name, '/') == NULL) {
        file = open_version(home, name, '-', '-');
        file = file != NULL ? file : open_version(home, name, '-', '_');
        file = file != NULL ? file : open_version(home, name, '_', '-');
    }
    if (file != NULL) {
        bool found = read_version(file, text);
        (void)fclose(file);
        TN_ACL_REFUSE(!found, ACL_ERROR_INTERNAL_ERROR,
                      "the file of package '%s' has no version of less than %d bytes", name, ROOM);
        return ACL_SUCCESS;
    }
    for (size_t i = 0; i < PACKAGES; i++) {
        if (strcasecmp(packages[i], name) == 0) {
            TN_ACL_TRY(tn_acl_open()); // reads the generation
            (void)snprintf(text, ROOM, "%s", tn_acl_face.generation == 1 ? "8.1.0" : "8.5.0");
            return ACL_SUCCESS;
        }
    }
    return tn_acl_fail(ACL_ERROR_INVALID_FILE,
                       "'%s' is no known package, and $ASCEND_HOME_PATH has no file for it", name);
}

TN_ACL_FUNCTION(aclsysGetVersionStr, char *, pkgName, char *, versionStr) {
    char found[ROOM];
    TN_ACL_POINTERS(pkgName, versionStr);
    TN_ACL_TRY(find_text(pkgName, found));
    memcpy(versionStr, found, strlen(found) + 1);
    return ACL_SUCCESS;
}

// ---- the number

// Reads a number of at most two digits, or returns false.
static bool read_part(const char **at, int *part) {
    *part = 0;
    int digits = 0;
    for (; isdigit((unsigned char)**at); (*at)++, digits++) {
        if (digits == 2) return false;
        *part = *part * 10 + (**at - '0');
    }
    return digits > 0;
}

// Reads "", or a suffix such as "-rc.1", "rc1" or ".beta.2".
static bool read_suffix(const char *at, int *suffix) {
    static const struct {
        const char *name;
        int base;
    } known[] = {{"alpha", -300}, {"beta", -200}, {"rc", -100}};
    *suffix = 0;
    if (*at == '\0') return true;
    at += *at == '.' || *at == '-' || *at == '_';
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t length = strlen(known[i].name);
        if (strncasecmp(at, known[i].name, length) == 0) {
            at += length;
            at += *at == '.';
            bool read = *at == '\0' || read_part(&at, suffix);
            *suffix += known[i].base;
            return read && *at == '\0';
        }
    }
    return false;
}

// Reads major, minor and patch, and a suffix. A version has two parts at least: "8.1.RC1" has no
// patch.
static bool read_number(const char *text, int32_t *number) {
    static const int32_t units[] = {10000000, 100000, 1000};
    int part = 0;
    *number = 0;
    for (int i = 0; i < 3; i++) {
        if (!read_part(&text, &part)) return false;
        *number += part * units[i];
        if (i < 2 && text[0] == '.' && isdigit((unsigned char)text[1]))
            text++;
        else if (i > 0)
            break;
    }
    if (!read_suffix(text, &part)) return false;
    *number += part;
    return true;
}

TN_ACL_FUNCTION(aclsysGetVersionNum, char *, pkgName, int32_t *, versionNum) {
    char text[ROOM];
    int32_t number = 0;
    TN_ACL_POINTERS(pkgName, versionNum);
    TN_ACL_TRY(find_text(pkgName, text));
    TN_ACL_REFUSE(!read_number(text, &number), ACL_ERROR_INTERNAL_ERROR, "'%s' is not a version",
                  text);
    *versionNum = number;
    return ACL_SUCCESS;
}

// ---- the parts

// Copies the text up to the next dot. Returns the place behind it.
static const char *copy_part(char part[ACL_PKG_VERSION_PARTS_MAX_SIZE], const char *text) {
    size_t length = strcspn(text, ".");
    (void)snprintf(part, ACL_PKG_VERSION_PARTS_MAX_SIZE, "%.*s", (int)length, text);
    return text + length + (text[length] == '.');
}

TN_ACL_FUNCTION(aclsysGetCANNVersion, aclCANNPackageName, name, aclCANNPackageVersion *, version) {
    char text[ROOM];
    TN_ACL_POINTER(version);
    TN_ACL_ARGUMENT((unsigned)name > ACL_PKG_NAME_DRIVER, "package %d is not one of 0 to 7",
                    (int)name);
    TN_ACL_TRY(find_text(packages[name], text));
    memset(version, 0, sizeof *version);
    memcpy(version->version, text, strlen(text));
    const char *rest = copy_part(version->majorVersion, text);
    rest = copy_part(version->minorVersion, rest);
    rest = copy_part(version->releaseVersion, rest);
    (void)copy_part(version->patchVersion, rest);
    return ACL_SUCCESS;
}
